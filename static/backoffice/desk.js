// The desk: a receipt is printed as soon as its page says so, and a count is added up while it is typed.

if (document.querySelector("[data-print]")) {
  window.print();
}

for (const count of document.querySelectorAll(".count")) {
  const exponent = Number(count.dataset.exponent);
  const shown = (amount) => {
    const digits = String(amount).padStart(exponent + 1, "0");
    return exponent ? `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}` : digits;
  };
  const pieces = [...count.querySelectorAll("[data-piece]")];
  const sum = count.querySelector(".field input");
  count.addEventListener("input", (event) => {
    if (event.target === sum || !pieces.length) {
      return;
    }
    let total = 0;
    for (const piece of pieces) {
      const amount = Number(piece.dataset.piece) * Number(piece.querySelector("input").value || 0);
      piece.querySelector("output").textContent = amount ? shown(amount) : "";
      total += amount;
    }
    sum.value = shown(total);
  });
}
