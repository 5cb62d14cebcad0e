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
  var reveal = function () {
    var name = decodeURIComponent(location.hash.slice(1));
    var target = name && document.getElementById(name);
    if (!target) { return; }
    for (var fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) { fold.open = true; }
    target.scrollIntoView();
  };
  window.addEventListener("hashchange", reveal);
  reveal();
  window.addEventListener("beforeprint", function () {
    each(document.querySelectorAll("details.fold"), function (fold) { fold.open = true; });
  });
  each(document.querySelectorAll("table.data"), function (table) {
    var place = document.createElement("p");
    table.parentElement.insertAdjacentElement("afterend", place);
    button("Save as CSV", place, function () {
      var lines = Array.prototype.map.call(table.rows, function (row) {
        return Array.prototype.map.call(row.cells, function (cell) {
          var words = cell.textContent.trim();
          if (/^[=+@\t\r]|^-(?![\d.])/.test(words)) { words = "'" + words; }
          return '"' + words.replace(/"/g, '""') + '"';
        }).join(",");
      });
      var link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([lines.join("\r\n") + "\r\n"], {type: "text/csv"}));
      link.download = (document.title.split(":")[0] + " " + table.parentElement.getAttribute("aria-label")).replace(/[^\w.-]+/g, "-") + ".csv";
      link.click();
      setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
    }).className = "csv";
  });
  var waiting = null;
  var vega = function (call) {
    if (window.vegaEmbed) { call(); return; }
    if (waiting) { waiting.push(call); return; }
    waiting = [call];
    var script = document.createElement("script");
    script.src = document.body.dataset.vega;
    script.addEventListener("load", function () { waiting.forEach(function (one) { one(); }); });
    document.head.appendChild(script);
  };
  var explored = function (panel, source) {
    var spec = JSON.parse(source), view = null, hidden = {}, first = JSON.stringify([spec.encoding.x.scale, spec.encoding.y.scale]);
    var tools = document.createElement("div"), place = document.createElement("div");
    tools.className = "plot-tools";
    place.className = "vega";
    place.tabIndex = 0;
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", "The picture to be explored: arrows move it, + and - zoom");
    panel.appendChild(place);
    panel.appendChild(tools);
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
    var domain = function (name) { return view.scale(name).domain().slice(); };
    var change = function (name, share, by) {
      var ends = domain(name), isLog = spec.encoding[name].scale.type === "log";
      var low = isLog ? Math.log(ends[0]) : ends[0], high = isLog ? Math.log(ends[1]) : ends[1];
      var middle = (low + high) / 2 + by * (high - low), half = share * (high - low) / 2;
      spec.encoding[name].scale.domain = [middle - half, middle + half].map(function (end) { return isLog ? Math.exp(end) : end; });
    };
    var both = function (share, x, y) { change("x", share, x); change("y", share, y); draw(); };
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
    return [place, tools];
  };
  each(document.querySelectorAll("script[type='application/json']"), function (data) {
    var panel = data.parentElement, plain = panel.querySelector(".plain-scroll"), shown = null;
    var place = document.createElement("p");
    place.className = "tools";
    panel.insertBefore(place, plain.nextSibling);
    var control = button("Explore", place, function () {
      var isOn = control.getAttribute("aria-pressed") !== "true";
      control.setAttribute("aria-pressed", String(isOn));
      vega(function () {
        shown = shown || explored(panel, data.textContent);
        shown.forEach(function (element) { element.hidden = !isOn; });
        plain.hidden = isOn;
      });
    });
    control.setAttribute("aria-pressed", "false");
  });
})();
