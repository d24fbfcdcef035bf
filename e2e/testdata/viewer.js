// Reads a trace by the code of Chrome's own viewer (Catapult's trace viewer), which every
// Go installation has for "go tool trace", and prints what the viewer makes of it as JSON.
//
//   node viewer.js trace_viewer_full.html TRACE
//
// The viewer is one page whose scripts are joined in one element, each of them beginning
// with 'use strict'. They are run one by one, since those that draw want a browser and fail
// without; those that read traces are made to run without one, where isVinn is set.
'use strict';

const fs = require('fs');
const vm = require('vm');

const [page, trace] = process.argv.slice(2).map((path) => fs.readFileSync(path));
const scripts = /<script[^>]*>([^]*?)<\/script>/.exec(page.toString())[1].split("'use strict';");
const context = vm.createContext({ isVinn: true, console, setTimeout, clearTimeout });
vm.runInContext('this.global = this;', context);
for (const script of scripts) {
  try {
    vm.runInContext("'use strict';" + script, context);
  } catch (error) {
    // It draws; what is missing for reading shows below.
  }
}

// As the viewer does with files: text where it is plain, bytes where it is compressed.
context.text = trace[0] === 0x1f ? null : trace.toString();
context.bytes = trace;
const read = vm.runInContext(`(() => {
  const options = new tr.importer.ImportOptions();
  options.shiftWorldToZero = false;
  options.showImportWarnings = false;
  const model = new tr.Model();
  new tr.importer.Import(model, options).importTraces([text === null ? new Uint8Array(bytes).buffer : text]);
  const place = new Map();
  const threads = model.getAllThreads().map((thread) => ({
    process: thread.parent.name, name: thread.name, sort: thread.sortIndex,
    slices: thread.sliceGroup.slices.map((slice) => {
      place.set(slice, thread.name);
      return { title: slice.title, start: slice.start, duration: slice.duration, args: slice.args };
    }),
  }));
  const flows = model.flowEvents.map((flow) => ({
    title: flow.title, start: flow.start, duration: flow.duration, bytes: flow.args.bytes,
    from: place.get(flow.startSlice), to: place.get(flow.endSlice),
  }));
  return {
    warnings: model.importWarnings.map((w) => w.type + ': ' + w.message),
    from: model.bounds.min, to: model.bounds.max, threads, flows,
  };
})()`, context);
fs.writeSync(1, JSON.stringify(read));
