// Icons of the admin are words that a font draws as pictures, such as “arrow_circle_down”. Who listens to a page, or
// looks for a control by its name, shall not meet them; a control that has no other name is called by its icon.
"use strict";

{ // other scripts of a page have names of their own
  const ICONS = ".material-symbols-outlined";

  function nameOf(control) {
    const rest = control.cloneNode(true);
    for (const icon of rest.querySelectorAll(ICONS)) icon.remove();
    return control.getAttribute("aria-label") || control.title || rest.textContent.trim();
  }

  function hideIcons() {
    for (const icon of document.querySelectorAll(`${ICONS}:not([aria-hidden])`)) {
      const control = icon.closest("a, button");
      if (control && !nameOf(control)) control.setAttribute("aria-label", icon.textContent.trim().replaceAll("_", " "));
      icon.setAttribute("aria-hidden", "true");
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    hideIcons();
    new MutationObserver(hideIcons).observe(document.body, { childList: true, subtree: true }); // lists of the search
  });
}
