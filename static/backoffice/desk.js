// The desk: a receipt is printed as soon as its page says so, a count is added up while it is typed,
// and a quick amount is put into the form of a payment.

if (document.querySelector("[data-print]")) {
  window.print();
}

// Minor units as an amount, and an amount as minor units.
const shown = (amount, exponent) => {
  const digits = String(amount).padStart(exponent + 1, "0");
  return exponent ? `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}` : digits;
};
const minor = (text, exponent) => Math.round(Number(text.replaceAll(/[ ,]/g, "")) * 10 ** exponent);

// The words above the explanation say by how much the typed counts differ from what should be there.
const words = document.querySelector("[data-variance]");
const usual = words?.textContent;
const sayVariance = () => {
  if (!words) {
    return;
  }
  words.textContent = usual;
  for (const { dataset, sum } of counts) {
    const difference =
      minor(sum.value, Number(dataset.exponent)) - Number(dataset.expected ?? Number.NaN);
    if (sum.value && difference) {
      const amount = `${shown(Math.abs(difference), Number(dataset.exponent))} ${dataset.code}`;
      words.textContent = words.dataset[difference < 0 ? "short" : "over"].replace(
        "{amount}",
        amount,
      );
      return;
    }
  }
};

const counts = [...document.querySelectorAll(".count")].map((section) => ({
  section,
  dataset: section.dataset,
  sum: section.querySelector(".field input"),
}));
for (const { section, dataset, sum } of counts) {
  const pieces = [...section.querySelectorAll("[data-piece]")];
  section.addEventListener("input", (event) => {
    if (event.target !== sum && pieces.length) {
      let total = 0;
      for (const piece of pieces) {
        const amount =
          Number(piece.dataset.piece) * Number(piece.querySelector("input").value || 0);
        piece.querySelector("output").textContent = amount
          ? shown(amount, Number(dataset.exponent))
          : "";
        total += amount;
      }
      sum.value = shown(total, Number(dataset.exponent));
    }
    sayVariance();
  });
}

sayVariance();

document.querySelector(".pay")?.addEventListener("click", ({ target }) => {
  if (target.dataset.amount) {
    const amount = document.querySelector("#pay [name=amount]");
    amount.value = target.dataset.amount;
    amount.dispatchEvent(new Event("input", { bubbles: true }));
    amount.focus();
  }
});
