// What Unfold's pages lack for who listens to them or has no mouse.
"use strict";

{ // other scripts of a page have names of their own
  // Icons are words that a font draws as pictures, such as “arrow_circle_down”. Who listens to a page, or looks for a
  // control by its name, shall not meet them; a control that has no other name is called by its icon.
  const ICONS = ".material-symbols-outlined";
  // Some controls are neither buttons nor links with an address: no Tab key reaches them.
  const PRESSED = ".cursor-pointer[x-on\\:click]:not(button, input, label, [href], [role])";

  function wordsOf(icon) {
    return icon.textContent.trim().replaceAll("_", " ");
  }

  function nameOf(control) {
    const rest = control.cloneNode(true);
    for (const icon of rest.querySelectorAll(ICONS)) icon.remove();
    return control.getAttribute("aria-label") || control.title || rest.textContent.trim();
  }

  function mend() {
    for (const control of document.querySelectorAll(PRESSED)) {
      control.setAttribute("role", "button");
      control.tabIndex = 0;
      if (control.matches(ICONS)) control.setAttribute("aria-label", control.title || wordsOf(control));
    }
    for (const icon of document.querySelectorAll(`${ICONS}:not([aria-hidden], [role])`)) {
      const control = icon.closest("a, button, [role=button]");
      if (control && !nameOf(control)) control.setAttribute("aria-label", wordsOf(icon));
      icon.setAttribute("aria-hidden", "true");
    }
  }

  document.addEventListener("keydown", (event) => {
    if (![" ", "Enter"].includes(event.key) || !event.target.matches("[role=button]:not(button)")) return;
    event.preventDefault();
    event.target.click();
  });
  document.addEventListener("DOMContentLoaded", () => {
    mend();
    new MutationObserver(mend).observe(document.body, { childList: true, subtree: true }); // lists of the search
  });
}
