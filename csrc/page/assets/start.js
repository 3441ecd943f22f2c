function start() {
  drawTheme();
  drawAnswer();
  drawPicture();
  drawFilters();
  drawTable();
  drawRanks();
  drawRun();
  preparePrinting();
  const row = largestUncovered();
  if (row !== null) choose(row.fold && view.fold ? shown.find(({line}) => line.fold === row.fold).line : row);
  // For whoever waits for the page, and to see how long it took.
  document.documentElement.dataset.ready = performance.now().toFixed(0);
}
