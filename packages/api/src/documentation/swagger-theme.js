// Runs before the page is painted: it has the theme that was chosen in the app, or that of the system.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem("weft-theme");
  } catch {
    // Storage may be forbidden; the theme of the system is fine then.
  }
  var isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  var classes = document.documentElement.classList;
  classes.toggle("dark-mode", isDark);
  if (isDark) return;
  // Swagger UI asks the system alone when it starts.
  new MutationObserver(function () {
    if (classes.contains("dark-mode")) classes.remove("dark-mode");
  }).observe(document.documentElement, { attributeFilter: ["class"] });
})();
