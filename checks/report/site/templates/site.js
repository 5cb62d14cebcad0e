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
  each(document.querySelectorAll("details.fold"), function (fold) {
    fold.querySelector("summary").addEventListener("click", function () {
      if (!fold.open) { history.replaceState(null, "", "#" + fold.querySelector(".folded").id); }
    });
  });
  window.addEventListener("beforeprint", function () {
    each(document.querySelectorAll("details.fold"), function (fold) { fold.open = true; });
  });
  each(document.querySelectorAll("table.data"), function (table) {
    var place = document.createElement("p");
    table.parentElement.insertAdjacentElement("afterend", place);
    var isCut = place.nextElementSibling && /^Not shown/.test(place.nextElementSibling.textContent);
    button(isCut ? "Save as CSV, without what is not shown" : "Save as CSV", place, function () {
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
  /* explore */
  var waiting = null;
  var explorer = function (call) {
    if (window.explored) { call(); return; }
    if (waiting) { waiting.push(call); return; }
    waiting = [call];
    window.addEventListener("explorer", function () { waiting.forEach(function (one) { one(); }); });
    var script = document.createElement("script");
    script.src = document.body.dataset.vega;
    document.head.appendChild(script);
  };
  each(document.querySelectorAll("[data-spec]"), function (data) {
    var panel = data.parentElement, plain = panel.querySelector(".plain-scroll"), shown = null;
    var place = document.createElement("p");
    place.className = "tools";
    panel.insertBefore(place, plain.nextSibling);
    var control = button("Explore", place, function () {
      var isOn = control.getAttribute("aria-pressed") !== "true";
      control.setAttribute("aria-pressed", String(isOn));
      explorer(function () {
        shown = shown || window.explored(panel, document.getElementById("specs").textContent, Number(data.dataset.spec));
        shown.forEach(function (element) { element.hidden = !isOn; });
        plain.hidden = isOn;
      });
    });
    control.setAttribute("aria-pressed", "false");
  });
  /* end */
})();
