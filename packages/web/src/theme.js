// Runs before the first paint: the chosen theme, if any, wins over the system's.
(function () {
  try {
    var theme = localStorage.getItem("weft-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the system's theme is fine then.
  }
})();
