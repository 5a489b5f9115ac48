// Browsers start no worker for a page that is opened as a file, and the search needs one: a hidden frame stands in for it.
if (location.protocol === "file:") {
  const load = (frame, url) =>
    new Promise((resolve, reject) => {
      const script = frame.document.createElement("script");
      script.src = url;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${url} cannot be loaded`));
      frame.document.body.append(script);
    });

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const element = document.createElement("iframe");
      element.hidden = true;
      document.body.append(element);
      this.frame = element.contentWindow;
      this.frame.document.open();
      this.frame.document.write("<!doctype html><body></body>");
      this.frame.document.close();
      this.frame.importScripts = (...urls) =>
        urls.reduce((before, next) => before.then(() => load(this.frame, new URL(next, url).href)), Promise.resolve());
      this.frame.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = load(this.frame, url);
    }

    postMessage(data) {
      this.ready.then(() => this.frame.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.frameElement.remove();
    }
  };
}
