(function () {
  "use strict";
  Array.prototype.forEach.call(document.querySelectorAll(".choose"), function (choice) {
    var figures = choice.parentElement.querySelectorAll("figure");
    choice.hidden = false;
    choice.querySelector("select").addEventListener("input", function (event) {
      Array.prototype.forEach.call(figures, function (figure, number) {
        figure.hidden = event.target.value !== "" && Number(event.target.value) !== number;
      });
    });
  });
  window.addEventListener("beforeprint", function () {
    Array.prototype.forEach.call(document.querySelectorAll("figure[hidden]"), function (figure) { figure.hidden = false; });
  });
  var mapped = function (log, from, to, start, end) {
    var low = log && from < to && from > to / 2 ? from : log && to < from && to > from / 2 ? to : 0;
    var first = !log ? from : from < to ? low : from;
    var last = !log ? to : from < to ? to : low;
    return {first: first, last: last, start: start, end: end, place: function (at) {
      if (!log || Math.abs(at - start) < 0.3 || Math.abs(at - end) < 0.3) { return at; }
      var value = from * Math.pow(to / from, (at - start) / (end - start));
      return Math.max(-2000, Math.min(2000, start + (value - first) / (last - first) * (end - start)));
    }};
  };
  var bent = function (d, x, y, down) {
    var last = null;
    return d.replace(/([ML])\s*(-?[\d.]+)[ ,]+(-?[\d.]+)/g, function (whole, letter, across, up) {
      var to = [Number(across), Number(up) + down];
      var steps = letter === "L" && last ? Math.min(24, Math.ceil(Math.hypot(to[0] - last[0], to[1] - last[1]) / 6)) || 1 : 1;
      var said = "";
      for (var step = 1; step <= steps; step++) {
        var share = letter === "L" && last ? step / steps : 1;
        var at = share === 1 ? to : [last[0] + share * (to[0] - last[0]), last[1] + share * (to[1] - last[1])];
        said += letter + x.place(at[0]).toFixed(1) + " " + (y.place(at[1]) - down).toFixed(1) + " ";
      }
      last = to;
      return said;
    });
  };
  var ticksOf = function (axis) {
    var rough = Math.abs(axis.last - axis.first) / 4;
    var step = Math.pow(10, Math.floor(Math.log10(rough)));
    step *= rough / step >= 5 ? 5 : rough / step >= 2 ? 2 : 1;
    var low = Math.min(axis.first, axis.last), high = Math.max(axis.first, axis.last), found = [];
    for (var n = Math.ceil(low / step - 1e-9); n * step <= high * (1 + 1e-9); n++) { found.push(Number((n * step).toPrecision(12))); }
    return found;
  };
  var written = function (value, most) {
    return value && (most >= 1e5 || most < 1e-2) ? value.toExponential() : String(value);
  };
  var svgPart = function (name, attributes, parent) {
    var made = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    parent.appendChild(made);
    return made;
  };
  var newTicks = function (group, axis, isX, edge) {
    var added = svgPart("g", {"class": "new-ticks"}, group);
    ticksOf(axis).forEach(function (value) {
      var at = axis.start + (value - axis.first) / (axis.last - axis.first) * (axis.end - axis.start);
      svgPart("path", {d: isX ? "M" + at + " " + edge + "v3.5" : "M" + edge + " " + at + "h-3.5", style: "stroke:#000;stroke-width:.8"}, added);
      svgPart("text", {x: isX ? at : edge - 6, y: isX ? edge + 12.7 : at + 2.8, style: "font-size:7.5px;text-anchor:" + (isX ? "middle" : "end")}, added).textContent = written(value, Math.max(axis.first, axis.last));
    });
  };
  var linear = function (axes) {
    var undo = [];
    var set = function (element, name, value) {
      undo.push([element, name, element.getAttribute(name)]);
      element.setAttribute(name, value);
    };
    var said = axes.dataset.scale.split(" ").map(Number);
    var x = mapped(said[0], said[1], said[2], said[3], said[4]);
    var y = mapped(said[5], said[6], said[7], said[8], said[9]);
    var height = axes.ownerSVGElement.dataset.height;
    Array.prototype.forEach.call(axes.querySelectorAll("path, use"), function (mark) {
      if (mark.closest("[data-ticks]")) { return; }
      if (mark.tagName === "path" && !mark.closest("defs")) { set(mark, "d", bent(mark.getAttribute("d"), x, y, 0)); }
      if (mark.tagName === "use") {
        var down = mark.getAttribute("y");
        if (mark.getAttribute("x") === "0" && down === height) {
          var shape = document.getElementById(mark.getAttribute("xlink:href").slice(1));
          set(shape, "d", bent(shape.getAttribute("d"), x, y, Number(down)));
        } else {
          set(mark, "x", x.place(Number(mark.getAttribute("x"))));
          set(mark, "y", y.place(Number(down)));
        }
      }
    });
    Array.prototype.forEach.call(axes.querySelectorAll("[data-ticks]"), function (group) {
      var name = group.dataset.ticks, isX = name !== "y", last = -Infinity, edge = 0;
      if (!(isX ? said[0] : said[5])) { return; }
      Array.prototype.slice.call(group.children).forEach(function (tick) {
        var mark = tick.tagName === "use" ? tick : tick.querySelector("use");
        if (!mark) { return; }
        if (name !== "top") { edge = Number(mark.getAttribute(isX ? "y" : "x")); set(tick, "display", "none"); return; }
        var before = Number(mark.getAttribute("x")), by = x.place(before) - before;
        set(tick, "transform", "translate(" + by + " 0)");
        if (before + by - last < 22) { set(tick, "display", "none"); } else { last = before + by; }
      });
      if (name !== "top") { newTicks(group, isX ? x : y, isX, edge); }
    });
    return undo;
  };
  Array.prototype.forEach.call(document.querySelectorAll("figure"), function (figure) {
    var plots = figure.querySelectorAll("[data-scale]");
    if (!plots.length) { return; }
    var undo = [], button = document.createElement("button");
    button.type = "button";
    button.className = "linear";
    button.textContent = "Linear axes";
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", function () {
      var isOn = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(isOn));
      if (isOn) {
        Array.prototype.forEach.call(plots, function (plot) { undo = undo.concat(linear(plot)); });
        return;
      }
      undo.reverse().forEach(function (one) {
        if (one[2] === null) { one[0].removeAttribute(one[1]); } else { one[0].setAttribute(one[1], one[2]); }
      });
      undo = [];
      Array.prototype.forEach.call(figure.querySelectorAll(".new-ticks"), function (ticks) { ticks.remove(); });
    });
    figure.insertBefore(button, figure.querySelector(".panels"));
  });
})();
