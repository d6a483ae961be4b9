// Deadlines are the server's, and so is the clock.

let ahead = 0;

export function setClock(now) {
  ahead = Date.parse(now) - Date.now();
}

export const secondsTo = (moment) => Math.max(0, (Date.parse(moment) - Date.now() - ahead) / 1000);
