"use strict";
// Shows one stage at a time, and marks it in the graph and in the source. Everything is in the page already.
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // What a jump brings below a pointer that rests was not pointed at.
  let rests = false;
  document.addEventListener("pointermove", () => { rests = false; });
  const isPointedAt = (event) => event.pointerType === "mouse" && !rests;

  for (const pipeline of all(".pipeline")) {
    const nodes = all(".node", pipeline), rows = all(".line", pipeline), details = all(".detail", pipeline);
    const stagesOf = (row) => row.dataset.stages.split(" ");
    let chosen = null;

    function show(stage) {
      nodes.forEach((node) => node.classList.toggle("chosen", node.dataset.stage === stage));
      details.forEach((detail) => detail.classList.toggle("chosen", detail.dataset.stage === stage));
      rows.forEach((row) => row.classList.toggle("chosen", stagesOf(row).includes(stage)));
    }

    function choose(stage) {
      chosen = stage;
      show(stage);
      nodes.forEach((node) => node.setAttribute("aria-current", node.dataset.stage === stage));
      const row = rows.find((each) => stagesOf(each).includes(stage)), list = pipeline.querySelector(".sources");
      // Only the list moves, never the page below the reader's eyes.
      if (row && list) list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
    }

    // Where the figures stand below the graph, they come into view, by no more than that takes.
    function bringUp() {
      pipeline.querySelector(".details")?.scrollIntoView({ block: "nearest" });
    }

    // A line with several stages leads from one to the next.
    function next(row) {
      const stages = stagesOf(row);
      return stages[(stages.indexOf(chosen) + 1) % stages.length];
    }

    function reveal(stage) {
      const node = nodes.find((each) => each.dataset.stage === stage), scroller = node?.closest(".scroller");
      if (!scroller) return;
      const box = node.getBoundingClientRect(), frame = scroller.getBoundingClientRect();
      scroller.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
    }

    nodes.forEach((node, at) => {
      const { stage } = node.dataset;
      node.addEventListener("click", (event) => { event.preventDefault(); choose(stage); bringUp(); });
      node.addEventListener("focus", () => choose(stage));
      node.addEventListener("pointerenter", (event) => { if (isPointedAt(event)) show(stage); });
      node.addEventListener("pointerleave", () => show(chosen));
      node.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
        if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        nodes[at + step]?.focus();
      });
    });
    rows.forEach((row) => {
      row.addEventListener("click", (event) => { event.preventDefault(); choose(next(row)); reveal(chosen); });
      row.addEventListener("pointerenter", (event) => { if (isPointedAt(event)) show(stagesOf(row)[0]); });
      row.addEventListener("pointerleave", () => show(chosen));
    });
    all(".suggestion .place[href]", pipeline).forEach((link) => link.addEventListener("click", (event) => {
      event.preventDefault();
      rests = true;
      const node = nodes.find((each) => each.dataset.stage === link.dataset.stage);
      node?.scrollIntoView({ block: "center" });
      node?.focus({ preventScroll: true });
    }));

    const first = pipeline.querySelector(".node.bottleneck") ?? nodes.at(-1);
    if (first) {
      choose(first.dataset.stage);
      reveal(chosen);
    }
  }
})();
