/** Colours are those of the console; each has its light and its dark value. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f6f9, #101318);
  --surface: light-dark(#ffffff, #181c23);
  --line: light-dark(#dce1e8, #2c333f);
  --text: light-dark(#161b24, #e8ecf2);
  --muted: light-dark(#545f70, #a3adbd);
  --track: light-dark(#edf0f5, #222833);
  --main: light-dark(#2457d6, #6f9bff);
  --soft: light-dark(#a9c1f7, #2f4d8f);
  --good: light-dark(#1a8a52, #4fbf85);
  --warning: light-dark(#d98a12, #f0b95c);
  --bad: light-dark(#c8362d, #f2796f);
  --quiet: light-dark(#a8b1bf, #5d6777);
}
* { box-sizing: border-box; }
html {
  background: var(--page);
  color: var(--text);
  font: 14px / 1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums;
  -webkit-text-size-adjust: 100%;
}
body { max-width: 1240px; margin: 0 auto; padding: 32px 24px 48px; }
h1, h2, h3, p, dl, dd, ul { margin: 0; }
h1 { font-size: 26px; font-weight: 680; letter-spacing: -0.02em; }
h2 { font-size: 17px; font-weight: 650; letter-spacing: -0.01em; }
h3 { margin: 24px 0 12px; font-size: 14px; font-weight: 650; }
header { margin-bottom: 24px; }
header p, .about, small, .empty { color: var(--muted); }
small { font-size: 12px; }
main { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; align-items: start; }
section {
  min-width: 0;
  height: 100%;
  padding: 20px 24px 24px;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--surface);
}
.wide, .tiles { grid-column: 1 / -1; }
.about { max-width: 76ch; margin: 4px 0 16px; font-size: 13px; }
.empty { padding: 24px; border: 1px dashed var(--line); border-radius: 8px; text-align: center; }
.tiles { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 16px; }
.tiles div { padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.tiles dt { color: var(--muted); font-size: 13px; }
.tiles dd { font-size: 26px; font-weight: 650; letter-spacing: -0.02em; line-height: 1.3; }
.tiles small { display: block; font-weight: 400; letter-spacing: 0; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin-bottom: 12px; padding: 0; list-style: none; font-size: 13px; }
.legend li::before {
  content: "";
  display: inline-block;
  width: 10px;
  height: 10px;
  margin-right: 6px;
  border-radius: 3px;
  background: var(--tone);
}
.main { --tone: var(--main); }
.soft { --tone: var(--soft); }
.good { --tone: var(--good); }
.warning { --tone: var(--warning); }
.bad { --tone: var(--bad); }
.quiet { --tone: var(--quiet); }
rect { fill: var(--tone); }
.track { fill: var(--track); }
.bars { display: grid; gap: 10px; padding: 0; list-style: none; }
.bars li { display: grid; grid-template-columns: minmax(0, 11fr) minmax(0, 20fr) minmax(0, 13fr); gap: 12px; align-items: center; }
.half .bars li { grid-template-columns: minmax(0, 13fr) minmax(0, 14fr) minmax(0, 10fr); }
.bars .label { overflow-wrap: anywhere; line-height: 1.3; }
.bars .value { font-weight: 600; }
.bars small { font-weight: 400; }
.bar { display: block; width: 100%; height: 16px; border-radius: 4px; }
.columns { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 8px; }
.columns svg { width: 100%; height: 180px; border-bottom: 1px solid var(--line); }
.scale { display: flex; flex-direction: column; justify-content: space-between; color: var(--muted); font-size: 12px; line-height: 1; text-align: right; }
.axis { grid-column: 2; display: flex; justify-content: space-between; color: var(--muted); font-size: 12px; }
.even { justify-content: space-around; }
.grid { stroke: var(--line); }
.caption { margin-top: 20px; color: var(--muted); font-size: 13px; }
.scroll {
  overflow-x: auto;
  margin-top: 8px;
  background:
    linear-gradient(to left, var(--surface) 40%, transparent) right / 48px 100% no-repeat local,
    linear-gradient(to left, var(--muted), transparent) right / 16px 100% no-repeat scroll;
}
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--main); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; font-size: 13px; }
th, td { padding: 6px 10px; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
th { font-weight: 550; }
thead th { color: var(--muted); font-size: 12px; font-weight: 500; vertical-align: bottom; }
tbody th { position: sticky; left: 0; background: var(--surface); }
.figure { text-align: right; }
.shade-1 { background: color-mix(in srgb, var(--main) 6%, transparent); }
.shade-2 { background: color-mix(in srgb, var(--main) 12%, transparent); }
.shade-3 { background: color-mix(in srgb, var(--main) 19%, transparent); }
.shade-4 { background: color-mix(in srgb, var(--main) 27%, transparent); }
.shade-5 { background: color-mix(in srgb, var(--main) 36%, transparent); }
details { margin-top: 16px; }
summary { width: max-content; color: var(--muted); font-size: 13px; cursor: pointer; }
details .caption { margin-top: 12px; }
@media (width < 1000px) {
  .tiles { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  section { grid-column: 1 / -1; }
}
@media (width < 600px) {
  body { padding: 20px 12px 32px; }
  main, .tiles { gap: 12px; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .tiles div { padding: 12px; }
  .tiles dd { font-size: 22px; }
  section { padding: 16px; }
  .bars li, .half .bars li { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 4px 12px; }
  .bars small { display: block; }
  .bars .bar { grid-row: 2; grid-column: 1 / -1; height: 12px; }
  .bars .value { text-align: right; line-height: 1.3; }
  th, td { padding: 6px 8px; }
  .broad::after { content: "; the table scrolls sideways"; }
}
@media print {
  :root { color-scheme: light; }
  html { background: none; font-size: 11px; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  body { max-width: none; padding: 0; }
  section, .tiles div, .bars li, tr { break-inside: avoid; }
  .wide { break-inside: auto; }
  summary { display: none; }
  details::details-content { content-visibility: visible; }
  .scroll { overflow: visible; background: none; }
  tbody th { position: static; background: none; }
}
`;
