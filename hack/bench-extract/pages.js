// The tables of the page as they are displayed, null where they are no clear
// truth: where a table lays out the page (it says so by its role, holds another
// table, headings, code, form controls or frames, or is one row of long texts)
// or is not displayed as a table. A table of one row or one column is passed over.
function tables(style) {
  const layout = 'table, h1, h2, h3, h4, pre, input, select, textarea, button, iframe, object, svg, canvas, form, fieldset';
  const longText = 200; // characters; a row of such cells is no row of a table
  document.head.appendChild(document.createElement('style')).textContent = style;

  const shown = e => e.getClientRects().length > 0 && getComputedStyle(e).visibility === 'visible';
  const like = (e, display) => getComputedStyle(e).display === display;
  const texts = cells => cells.filter(c => c.text.trim() !== '');

  // rows lists the displayed rows, group by group: a cell spans no further than its group.
  function groups(table) {
    const found = new Map();
    for (const row of table.rows) {
      if (!shown(row)) continue;
      if (!found.has(row.parentNode)) found.set(row.parentNode, []);
      found.get(row.parentNode).push(row);
    }
    return [...found.values()];
  }

  // place puts a group's cells on the grid; first is the number of its first row.
  function place(rows, first, out) {
    const taken = rows.map(() => new Set());
    rows.forEach((row, r) => {
      let c = 0;
      for (const cell of row.cells) {
        if (!shown(cell)) continue;
        while (taken[r].has(c)) c++;
        const below = cell.rowSpan === 0 ? Infinity : row.rowIndex + cell.rowSpan;
        let end = r + 1;
        while (end < rows.length && rows[end].rowIndex < below) end++;
        for (let i = r; i < end; i++) for (let k = c; k < c + cell.colSpan; k++) taken[i].add(k);
        out.push({text: cell.innerText, start_row_offset_idx: first + r, end_row_offset_idx: first + end,
          start_col_offset_idx: c, end_col_offset_idx: c + cell.colSpan});
        c += cell.colSpan;
      }
    });
  }

  function cellsOf(table) {
    const out = [];
    let first = 0;
    for (const rows of groups(table)) {
      place(rows, first, out);
      first += rows.length;
    }
    return out;
  }

  const found = [];
  for (const table of document.querySelectorAll('table')) {
    if (!shown(table)) continue;
    const rows = groups(table).flat();
    const cells = cellsOf(table);
    const filled = texts(cells);
    const many = key => new Set(filled.map(c => c[key])).size > 1;
    if (/^(presentation|none)$/.test(table.getAttribute('role')) || table.querySelector(layout)) return null;
    if (!like(table, 'table') || !rows.every(r => like(r, 'table-row'))) return null;
    if (!many('start_row_offset_idx') && filled.some(c => c.text.length > longText)) return null;
    if (many('start_row_offset_idx') && many('start_col_offset_idx')) found.push({data: {table_cells: cells}});
  }
  return found.length > 0 ? found : null;
}
