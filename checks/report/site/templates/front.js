(function () {
  "use strict";
  var form = document.querySelector("form.filters");
  var table = document.querySelector("table.all");
  if (form && table) {
    var body = table.tBodies[0];
    var rows = Array.prototype.slice.call(body.rows);
    var papers = {};
    Array.prototype.forEach.call(form.paper.options, function (option) { papers[option.value] = option.dataset.words || ""; });
    var texts = rows.map(function (row) { return (papers[row.dataset.paper] + " " + row.dataset.words + " " + row.textContent + " " + row.dataset.kind).toLowerCase(); });
    var places = rows.map(function (row) { return (papers[row.dataset.paper].split(" ").pop() + " " + row.dataset.id + " " + row.cells[0].textContent).toLowerCase(); });
    var isIn = function (word, number) {
      if (!/^[(\d][\d.a-z]*\)?$/.test(word)) { return texts[number].indexOf(word) >= 0; }
      return new RegExp("(^|[^\\w.])" + word.replace(/[().]/g, "\\$&") + "($|[^\\w])").test(places[number]);
    };
    var names = ["search", "paper", "kind", "verdict"];
    var remember = function () {
      var said = names.filter(function (name) { return form[name].value; }).map(function (name) { return name + "=" + encodeURIComponent(form[name].value); });
      if (said.length) { history.replaceState(null, "", "#?" + said.join("&")); }
      else if (location.hash.slice(0, 2) === "#?") { history.replaceState(null, "", "#"); }
    };
    var recall = function () {
      if (location.hash.slice(0, 2) !== "#?") { return; }
      var given = new URLSearchParams(location.hash.slice(2));
      names.forEach(function (name) { form[name].value = given.get(name) || ""; });
      filter();
    };
    var shown = form.querySelector(".shown");
    var filter = function () {
      var words = form.search.value.toLowerCase().split(/[\s,;]+/).filter(Boolean);
      var count = 0;
      rows.forEach(function (row, number) {
        var verdict = form.verdict.value;
        var fits = (!form.paper.value || row.dataset.paper === form.paper.value)
          && (!form.kind.value || row.dataset.kind === form.kind.value)
          && (!verdict || (verdict[0] === "=" ? row.dataset.verdict === verdict.slice(1) : row.dataset.group === verdict))
          && words.every(function (word) { return isIn(word, number); });
        row.hidden = !fits;
        count += fits ? 1 : 0;
      });
      shown.textContent = count === rows.length ? "" : count ? count + " of " + rows.length + " shown" : "No claim has all of this: Show all undoes it";
    };
    form.hidden = false;
    form.addEventListener("input", function () { filter(); remember(); });
    window.addEventListener("hashchange", recall);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    form.addEventListener("reset", function () { setTimeout(function () { filter(); remember(); }, 0); });
    Array.prototype.forEach.call(document.querySelectorAll("a[data-verdict]"), function (link) {
      link.addEventListener("click", function () {
        form.search.value = "";
        form.kind.value = "";
        form.paper.value = link.dataset.paper;
        form.verdict.value = "=" + link.dataset.verdict;
        filter();
      });
    });
    Array.prototype.forEach.call(table.querySelectorAll("th[data-sort]"), function (head) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.textContent = "";
      head.appendChild(button);
      button.addEventListener("click", function () {
        var key = head.dataset.sort;
        var down = head.getAttribute("aria-sort") === "ascending";
        Array.prototype.forEach.call(table.querySelectorAll("th[aria-sort]"), function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        rows.slice().sort(function (one, other) {
          var by = key === "id" ? one.dataset.order - other.dataset.order : one.dataset[key] - other.dataset[key];
          return (down ? -by : by) || one.dataset.order - other.dataset.order;
        }).forEach(function (row) { body.appendChild(row); });
      });
    });
    filter();
    recall();
  }
})();
