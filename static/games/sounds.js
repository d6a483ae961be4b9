// Short sounds, made here and not loaded. Whoever wants one says so, and need not know whether it is heard:
//   document.dispatchEvent(new CustomEvent("sound", { detail: "deal" }))

"use strict";

{
  // Each tone: its pitch in hertz, when it begins and how long it lasts in seconds, how loud it is.
  const TONES = {
    select: [[660, 0, 0.05, 0.12]],
    chip: [[1900, 0, 0.03, 0.1], [2500, 0.04, 0.05, 0.1]],
    turn: [[587, 0, 0.12, 0.2], [880, 0.13, 0.22, 0.2]],
    win: [[523, 0, 0.12, 0.18], [659, 0.11, 0.12, 0.18], [784, 0.22, 0.3, 0.18]],
  };
  // Cards are no tones but breath: how long it lasts, how high it is, how loud.
  const BREATHS = { deal: [0.07, 2600, 0.3], play: [0.11, 1300, 0.45] };

  let context;

  const wanted = () => document.documentElement.dataset.sounds === "on";

  // A browser lets a page be heard after somebody has touched it, and nothing is made before.
  function ready() {
    if (!wanted() || !navigator.userActivation?.hasBeenActive) return false;
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume();
    return true;
  }

  function fading(at, seconds, loudness) {
    const gain = context.createGain();
    gain.gain.setValueAtTime(loudness, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    gain.connect(context.destination);
    return gain;
  }

  function tone([pitch, after, seconds, loudness]) {
    const at = context.currentTime + after;
    const source = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    source.connect(fading(at, seconds, loudness));
    source.start(at);
    source.stop(at + seconds);
  }

  function breath([seconds, pitch, loudness]) {
    const buffer = context.createBuffer(1, context.sampleRate * seconds, context.sampleRate);
    buffer.getChannelData(0).forEach((_, at, all) => (all[at] = Math.random() * 2 - 1));
    const source = new AudioBufferSourceNode(context, { buffer });
    source
      .connect(new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 0.8 }))
      .connect(fading(context.currentTime, seconds, loudness));
    source.start();
  }

  document.addEventListener("sound", ({ detail }) => {
    if (!ready()) return;
    if (BREATHS[detail]) breath(BREATHS[detail]);
    TONES[detail]?.forEach(tone);
  });
}
