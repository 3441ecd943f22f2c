// Light and dark follow the system until somebody chooses. What was chosen is kept where the browser lets pages from
// disk keep anything.
const THEME_KEY = "opcov-theme";

function storedTheme() {
  try {
    return localStorage.getItem(THEME_KEY) || "auto";
  } catch {
    return "auto";
  }
}

function drawTheme() {
  let theme = storedTheme();
  const apply = () => { document.documentElement.dataset.theme = theme; };
  apply();
  const mark = segments(byId("theme"), [["auto", "Auto"], ["light", "Light"], ["dark", "Dark"]], () => theme, (chosen) => {
    theme = chosen;
    apply();
    mark();
    try {
      localStorage.setItem(THEME_KEY, theme);
    } catch {
      return;  // it holds as long as the page is open
    }
  });
}
