const byId = (id) => document.getElementById(id);

// make("p", {class: "note", click: listener}, "text", element): functions are listeners, true is a bare attribute.
function make(tag, attributes = {}, ...children) {
  const svg = SVG_TAGS.has(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG_TAGS = new Set(["svg", "g", "rect", "text", "line"]);

// One choice of several, as buttons in a row. `options`: [value, label] pairs.
function segments(container, options, chosen, choose) {
  const buttons = options.map(([value, label]) =>
    make("button", {
      type: "button", role: "radio", "aria-checked": String(value === chosen()), "data-value": value,
      click: () => choose(value),
      keydown: (event) => {
        const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
        if (!step) return;
        event.preventDefault();
        const next = (options.findIndex(([other]) => other === value) + step + options.length) % options.length;
        choose(options[next][0]);
        container.children[next].focus();
      },
    }, label));
  container.replaceChildren(...buttons);
  const mark = () => {
    for (const button of buttons) {
      const is = button.dataset.value === chosen();
      button.setAttribute("aria-checked", String(is));
      button.tabIndex = is ? 0 : -1;
    }
  };
  mark();
  return mark;
}

function say(text) { byId("said").textContent = text; }
