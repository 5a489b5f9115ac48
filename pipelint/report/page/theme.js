"use strict";
// Tells the style that there is a script, and lets the reader choose between light and dark.
(() => {
  const root = document.documentElement, theme = document.querySelector("#theme");
  root.classList.add("js");
  const themes = ["auto", "light", "dark"];
  function setTheme(name) {
    if (name === "auto") delete root.dataset.theme;
    else root.dataset.theme = name;
    document.querySelector("#theme-name").textContent = name;
    theme.setAttribute("aria-label", `Theme: ${name}`);
    try { localStorage.setItem("pipelint-theme", name); } catch { /* a page from a file may have no storage */ }
  }
  let stored = null;
  try { stored = localStorage.getItem("pipelint-theme"); } catch { /* as above */ }
  setTheme(themes.includes(stored) ? stored : "auto");
  theme.addEventListener("click", () => setTheme(themes[(themes.indexOf(root.dataset.theme ?? "auto") + 1) % 3]));
})();
