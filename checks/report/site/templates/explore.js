(function () {
  "use strict";
  var each = function (list, call) { Array.prototype.forEach.call(list, call); };
  var made = function (name, words, parent) {
    var element = document.createElement(name);
    element.textContent = words;
    parent.appendChild(element);
    return element;
  };
  var button = function (words, parent, call) {
    var element = made("button", words, parent);
    element.type = "button";
    element.addEventListener("click", call);
    return element;
  };
  var unpacked = function (packed) {
    var bytes = Uint8Array.from(atob(packed.trim()), function (letter) { return letter.charCodeAt(0); });
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  };
  var turn = function (shown) {
    [shown].concat(shown.layer).forEach(function (level) {
      var channels = level.encoding, turned = {};
      Object.keys(channels).forEach(function (name) {
        turned[{x: "y", y: "x", x2: "y2", y2: "x2"}[name] || name] = channels[name];
      });
      level.encoding = turned;
      if (level.mark && level.mark.type === "area") { level.mark.orient = "horizontal"; }
    });
  };
  window.explored = function (panel, source, number) {
    var tools = document.createElement("div"), place = document.createElement("div");
    tools.className = "plot-tools";
    place.className = "vega";
    place.tabIndex = 0;
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", "The picture to be explored: arrows move it, + and - zoom");
    panel.appendChild(place);
    panel.appendChild(tools);
    unpacked(source).then(function (text) { show(panel, JSON.parse(text.split("\n")[number]), place, tools); });
    return [place, tools];
  };
  var show = function (panel, spec, place, tools) {
    var view = null, hidden = {}, isTurned = false, first = JSON.stringify([spec.encoding.x.scale, spec.encoding.y.scale]);
    var said = spec.usermeta;
    spec.layer.forEach(function (layer) {
      var columns = layer.data.values, names = Object.keys(columns);
      layer.data.values = columns.x.map(function (_, at) {
        var row = {};
        names.forEach(function (name) { row[name] = columns[name][at]; });
        return row;
      });
    });
    var draw = function () {
      var shown = JSON.parse(JSON.stringify(spec));
      if (isTurned) { turn(shown); }
      shown.width = Math.max(200, Math.min(spec.width, panel.clientWidth - 80));
      shown.layer.forEach(function (layer) {
        if (hidden[layer.name.split("_")[0] + "_"]) { layer.mark.opacity = 0; layer.encoding.tooltip = null; }
      });
      window.vegaEmbed(place, shown, {ast: true, actions: false, renderer: "svg", tooltip: {theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"}, logLevel: 1}).then(function (result) {
        if (view) { view.finalize(); }
        view = result.view;
        panel.dataset.drawn = "yes";
      });
    };
    var side = function (name) { return isTurned ? {x: "y", y: "x"}[name] : name; };
    var domain = function (name) { return view.scale(side(name)).domain().slice(); };
    var change = function (name, share, by) {
      var ends = domain(name), isLog = spec.encoding[name].scale.type === "log";
      var low = isLog ? Math.log(ends[0]) : ends[0], high = isLog ? Math.log(ends[1]) : ends[1];
      var middle = (low + high) / 2 + by * (high - low), half = share * (high - low) / 2;
      spec.encoding[name].scale.domain = [middle - half, middle + half].map(function (end) { return isLog ? Math.exp(end) : end; });
    };
    var both = function (share, x, y) { change(side("x"), share, x); change(side("y"), share, y); draw(); };
    place.addEventListener("keydown", function (event) {
      var does = {"+": [0.7, 0, 0], "=": [0.7, 0, 0], "-": [1.4, 0, 0], ArrowLeft: [1, -0.15, 0], ArrowRight: [1, 0.15, 0], ArrowUp: [1, 0, 0.15], ArrowDown: [1, 0, -0.15]}[event.key];
      if (does && view && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); both.apply(null, does); }
    });
    button("Zoom in", tools, function () { both(0.7, 0, 0); });
    button("Zoom out", tools, function () { both(1.4, 0, 0); });
    button("Reset", tools, function () {
      var scales = JSON.parse(first);
      spec.encoding.x.scale = scales[0];
      spec.encoding.y.scale = scales[1];
      each(tools.querySelectorAll("input[data-axis]"), function (box) { box.checked = spec.encoding[box.dataset.axis].scale.type === "log"; });
      turning.checked = isTurned = false;
      draw();
    });
    var choice = function (words, isOn, call) {
      var label = made("label", "", tools), box = document.createElement("input");
      box.type = "checkbox";
      box.checked = isOn;
      label.appendChild(box);
      box.addEventListener("change", function () { call(box.checked); draw(); });
      made("span", words, label);
      return label;
    };
    ["x", "y"].forEach(function (name, number) {
      var scale = spec.encoding[name].scale;
      if (!said.log[number]) { return; }
      choice("logarithmic " + name, scale.type === "log", function (isOn) {
        spec.encoding[name].scale.type = isOn ? "log" : "linear";
        spec.encoding[name].scale.domain = JSON.parse(first)[number].domain;
      }).querySelector("input").dataset.axis = name;
    });
    var turning = choice("turn: " + spec.encoding.x.axis.title + " upward", false, function (isOn) { isTurned = isOn; }).querySelector("input");
    turning.dataset.turn = "yes";
    said.legend.forEach(function (entry) {
      var label = entry[2].length ? choice(entry[0], true, function (isOn) {
        entry[2].forEach(function (name) { hidden[name] = !isOn; });
      }) : made("label", "", tools);
      if (!entry[2].length) { made("span", entry[0], label); }
      var swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = entry[1];
      label.insertBefore(swatch, label.lastChild);
    });
    draw();
  };
  unpacked(window.packedVega).then(function (text) {
    var script = document.createElement("script");
    script.textContent = text;
    document.head.appendChild(script);
    window.dispatchEvent(new Event("explorer"));
  });
})();
