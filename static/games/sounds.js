// Short sounds, made here, not loaded: dispatch("sound", "deal")

import { byId, on, root } from "../casino/dom.js";

// Each tone: its pitch in hertz, when it begins and how long it lasts in seconds, how loud it is.
const TONES = {
  turn: [
    [587, 0, 0.12, 0.2],
    [880, 0.13, 0.22, 0.2],
  ],
  win: [
    [523, 0, 0.12, 0.18],
    [659, 0.11, 0.12, 0.18],
    [784, 0.22, 0.3, 0.18],
  ],
  loss: [
    [392, 0, 0.16, 0.14],
    [294, 0.15, 0.3, 0.14],
  ],
  bomb: [
    [98, 0, 0.5, 0.5],
    [65, 0.04, 0.7, 0.5],
  ],
  rocket: [
    [262, 0, 0.14, 0.2],
    [523, 0.1, 0.16, 0.2],
    [1047, 0.2, 0.18, 0.2],
    [82, 0.34, 0.55, 0.5],
  ],
  scoop: [
    [165, 0, 0.16, 0.35],
    [110, 0.12, 0.4, 0.4],
  ],
  home_run: [
    [392, 0, 0.14, 0.2],
    [523, 0.12, 0.14, 0.2],
    [659, 0.24, 0.14, 0.2],
    [784, 0.36, 0.45, 0.22],
  ],
  spring: [
    [392, 0, 0.1, 0.2],
    [784, 0.08, 0.35, 0.2],
  ],
  blackjack: [
    [659, 0, 0.12, 0.2],
    [988, 0.1, 0.4, 0.2],
  ],
  natural: [
    [784, 0, 0.1, 0.18],
    [1175, 0.09, 0.4, 0.18],
  ],
  jackpot: [
    [523, 0, 0.1, 0.2],
    [659, 0.1, 0.1, 0.2],
    [784, 0.2, 0.1, 0.2],
    [1047, 0.3, 0.7, 0.24],
  ],
  tick: [[1319, 0, 0.05, 0.14]],
};
// Cards are no tones but breath: how long it lasts, how high it is, how loud.
const BREATHS = { deal: [0.07, 2600, 0.3], play: [0.11, 1300, 0.45] };

let context;
let master;

// Browsers allow sound only after an input.
function ready() {
  if (root.dataset.sounds !== "on" || !navigator.userActivation?.hasBeenActive) return false;
  context ??= new AudioContext();
  context.resume();
  if (!master) (master = new GainNode(context)).connect(context.destination);
  master.gain.value = Number(root.dataset.volume) / 3;
  return true;
}

// A source is heard, through what changes it, ever more softly.
function sound(source, changed, after, seconds, loudness) {
  const at = context.currentTime + after;
  const volume = new GainNode(context);
  volume.gain.setValueAtTime(loudness, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  changed.connect(volume).connect(master);
  source.start(at);
  source.stop(at + seconds);
}

function tone([frequency, ...how]) {
  const source = new OscillatorNode(context, { type: "triangle", frequency });
  sound(source, source, ...how);
}

function breath([seconds, frequency, loudness]) {
  const buffer = context.createBuffer(1, context.sampleRate * seconds, context.sampleRate);
  buffer.getChannelData(0).forEach((_, at, all) => (all[at] = Math.random() * 2 - 1));
  const source = new AudioBufferSourceNode(context, { buffer });
  const filtered = source.connect(
    new BiquadFilterNode(context, { type: "bandpass", frequency, Q: 0.8 }),
  );
  sound(source, filtered, 0, seconds, loudness);
}

on("sound", async ({ detail }) => {
  if (!ready()) return;
  // The result is not heard before it is seen.
  if (detail === "win")
    await Promise.allSettled(
      byId("outcome")
        .getAnimations()
        .map((motion) => motion.finished),
    );
  if (BREATHS[detail]) breath(BREATHS[detail]);
  TONES[detail]?.forEach(tone);
});
