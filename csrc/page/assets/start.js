// The largest work without a profile is chosen at first; among more sizes than these its fold is.
const MOST_UNFOLDED = 8;

function start() {
  drawTheme();
  drawAnswer();
  drawPicture();
  drawFilters();
  drawTable();
  drawRanks();
  drawRun();
  preparePrinting();
  const row = largestOf(ROWS);
  if (row !== null) choose(row.fold && row.fold.rows.length > MOST_UNFOLDED ? shown.find(({line}) => line.fold === row.fold).line : row);
  // For whoever waits for the page, and to see how long it took.
  document.documentElement.dataset.ready = performance.now().toFixed(0);
}
