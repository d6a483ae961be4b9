// The wheel turns by itself when it comes; a tap on it, or any key, and it stands still.

"use strict";

for (const stop of ["click", "keydown"]) {
  document.addEventListener(stop, (event) => {
    const wheel = document.querySelector(".wheel-spun");
    if (wheel && (stop === "keydown" || wheel.contains(event.target))) wheel.classList.add("still");
  });
}
