import { accentOf, DEFAULT_ACCENT } from '../../infra/util/accent-color.ts'
import { style } from '../pages/style.ts'

export const ROW_MINUTES = 5
const ROWS = (24 * 60) / ROW_MINUTES

/**
 * CSS classes for the start and the height of a booking in the day view. The content security policy of the page
 * forbids style attributes. Therefore the page uses classes.
 */
const positions = Array.from(
  { length: ROWS + 1 },
  (_, row) => `.at${row}{grid-row-start:${row + 1}}.for${row}{grid-row-end:span ${Math.max(row, 1)}}`,
).join('')

/** CSS classes for the height of the day view, one for each number of hours. */
const heights = Array.from(
  { length: 25 },
  (_, hours) => `ol.h${hours}{grid-template-rows:repeat(${(hours * 60) / ROW_MINUTES},6px)}`,
).join('')

const deskRules = `
header.desk{position:relative;display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;max-width:90rem}
header.desk .brand{margin:0}
header.desk ul{display:flex;flex-wrap:wrap;gap:.25rem;margin:0;padding:0;list-style:none}
header.desk summary{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 .75rem;border-radius:.5rem;font-weight:400}
header.desk summary.here{background:var(--accent);color:var(--on-accent)}
header.desk .menu{position:absolute;z-index:2;inset-block-start:100%;inset-inline-end:1rem;min-width:14rem;padding:.5rem;border:1px solid var(--line);border-radius:.5rem;background:var(--paper)}
header.desk .menu ul{flex-direction:column}
header.desk .menu a{width:100%}
header.desk nav a{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 .75rem;border-radius:.5rem}
header.desk nav a[aria-current]{background:var(--accent);color:var(--on-accent)}
header.desk button{width:auto;margin:0;min-height:2.75rem;border:0}
body:has(main.wide) header.desk{max-width:90rem}
main{margin-top:1rem}
main.wide{max-width:90rem}
.week{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem;margin:1rem 0}
.week :is(a,button){display:inline-flex;align-items:center;width:auto;min-height:2.75rem;margin:0;padding:0 1rem}
.week form{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem}
.week :is(label,button){overflow-wrap:normal}
.week input{flex:1 1 8rem;width:auto;min-width:0}
.week label{margin:0;align-self:center}
.columns{display:grid;gap:1rem}
.columns h2{margin:0;padding:.5rem 0;font-size:1rem}
.columns ol{margin:0;padding:0;list-style:none}
.thing{margin:0 0 .5rem;padding:.5rem .75rem;border:1px solid var(--line);border-inline-start:.375rem solid var(--accent);border-radius:.375rem;background:var(--note)}
.add{display:inline-flex;align-items:center;justify-content:center;width:2rem;height:2rem;text-decoration:none;font-size:1.25rem}
.away{display:inline-flex;align-items:center;min-height:2rem;padding:0 .25rem;font-size:.875rem;font-weight:400}
.affected fieldset{margin:0 0 1rem;padding:.25rem 1rem .75rem;border:1px solid var(--line);border-radius:.5rem}
.affected legend{margin:0;padding:0 .25rem}
.affected fieldset p{margin:.25rem 0 .5rem}
.affected>.inline{margin-bottom:1.5rem}
.affected .picks{grid-template-columns:1fr 1fr}
.affected .pick-one:nth-last-child(3){grid-column:1/-1}
.thing,.thing a{overflow:hidden;overflow-wrap:normal;text-overflow:ellipsis}
.thing a{display:block;color:inherit;text-decoration:none}
.thing a:hover strong{text-decoration:underline}
.thing .state{float:inline-end;color:var(--soft);font-size:.875rem}
.thing.pending{border-inline-start-style:dashed}
.thing.in_progress{border-inline-start-style:double;background:var(--paper)}
.thing.completed,.thing.no_show{border-inline-start-color:var(--line);color:var(--soft)}
.thing.block,.thing.kept{border-inline-start-color:var(--soft);background:repeating-linear-gradient(135deg,var(--paper) 0 6px,var(--line) 6px 7px)}
.week form>div{display:flex;align-items:center;gap:.5rem}
.week select{width:auto;max-width:14rem}
.which button{width:auto;min-height:2.75rem;margin:0 0 1rem}
.which fieldset{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0 0 .5rem}
.which legend{float:inline-start;margin:0}
.which .tick{display:inline-flex;gap:.5rem;align-items:center;min-height:2.75rem;margin:0;font-weight:400}
.which legend .tick{font-weight:600}
.columns h2 a:not([class]){color:inherit;text-decoration:none}
.columns h2 a:not([class]):hover,.columns h2 a[aria-current]{text-decoration:underline}
.lists .soft{display:block;font-size:.875rem}
.hours{display:none}
@media (min-width:60rem){
.columns{grid-auto-flow:column;grid-auto-columns:minmax(8.5rem,1fr);grid-template-rows:auto 1fr;gap:0 .5rem;overflow-x:auto;padding-bottom:1rem}
.columns section{display:grid;grid-row:span 2;grid-template-rows:subgrid}
.columns ol{position:relative;display:grid;align-content:start;grid-auto-columns:minmax(0,1fr);grid-auto-rows:6px;gap:0;border-inline-start:1px solid var(--line)}
.columns section.hours{display:grid;width:4rem}
.columns:has(.hours){grid-template-columns:4rem}
.columns.lists{grid-template-columns:repeat(7,minmax(8rem,1fr));grid-auto-flow:row}
.lists ol{grid-auto-rows:auto;border:0}
.lists .thing{margin:0 0 .25rem}
ol[data-first]{background:repeating-linear-gradient(var(--line) 0 1px,transparent 1px 72px)}
ol[data-book]{cursor:copy}
.thing{cursor:auto}
.hours ol{border:0!important}
.hours li{color:var(--soft);font-size:.875rem;line-height:1}
.thing{position:relative;margin:0 .25rem 1px;padding:0 .5rem;font-size:.875rem;line-height:1.15;min-height:0}
.closed{position:absolute;inset:0;background:var(--note);pointer-events:none}
.now{position:absolute;inset:0 0 auto;border-top:2px solid var(--danger);pointer-events:none;z-index:1}
.gap{margin:0 .25rem 1px;z-index:1}
.gap button{display:block;height:100%;padding:0;font-size:.875rem;line-height:1}
.thing.dropping{border:2px dashed var(--accent);background:var(--paper);pointer-events:none;z-index:2}
.thing.dropping.no{border-color:var(--danger);color:var(--danger)}
.thing.taken-up{opacity:.4}
.dragging,.dragging *{cursor:grabbing!important;user-select:none}
}
.gap button{width:100%;min-height:0;margin:0;font-weight:400;border-width:1px}
@media not (min-width:60rem){.now,.closed,.columns .again{display:none}.gap{display:inline-block;margin:0 .5rem .5rem 0}.gap button{min-height:2.75rem}}
.acts{display:flex;flex-wrap:wrap;gap:.5rem;margin:1rem 0}
.acts form{display:flex;flex-wrap:wrap;gap:.5rem;margin:0}
.acts :is(button,.button){width:auto;min-width:8rem;margin:0}
@media not (min-width:40rem){
.week form{flex:1 0 100%}
.week select{flex:1 1 8rem;width:8rem}
.week span{position:absolute;clip-path:inset(50%)}
.before::before{content:"‹"/""}
.after::before{content:"›"/""}
.acts:not(.others)>*,.acts:not(.others) button{flex:1 1 8rem}
.acts :is(button,.button){min-width:0;min-height:2.75rem}
}
@media (forced-colors:active){
ol[data-first]{--line:GrayText;forced-color-adjust:none}
ol[data-first]>:not(.closed){forced-color-adjust:auto}
.closed{border:1px solid GrayText;background:repeating-linear-gradient(45deg,Canvas 0 9px,GrayText 9px 10px)}
}
form+.note{margin-top:1rem}
.note button{width:auto;margin:.5rem 0 0}
.picks{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.5rem}
.picks button{margin:0;min-height:2.75rem;font-weight:400}
.pick-one{display:block;margin:0;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;font-weight:400;cursor:pointer}
.pick-one:has(:checked){border-color:var(--accent);background:var(--note)}
.pick-one:has(:focus-visible){outline:3px solid var(--accent);outline-offset:2px}
.pick-one input{display:inline-block;width:auto;min-height:0;margin:0;accent-color:var(--accent)}
.sums{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:0 .5rem;margin-bottom:1rem}
.pay .picks{grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));margin-bottom:1rem}
.pay .picks button{font-weight:600}
.change{margin:.5rem 0 0;font-size:1.25rem}
.takings{font-variant-numeric:tabular-nums}
.takings thead th{color:var(--soft)}
.takings td{padding-inline-start:1rem;text-align:end;white-space:nowrap}
.takings thead th+th{padding-inline-start:1rem;text-align:end}
.days>div{flex:1 1 8rem}
@media not (min-width:40rem){.takings tr{display:grid;grid-template-columns:repeat(3,1fr);border-bottom:1px solid var(--line)}.takings :is(th,td){padding:.25rem 0;border:0}.takings tr>:first-child{grid-column:1/-1}.takings thead{font-size:.875rem}.takings thead th+th{padding:0}}
form.inline+form{margin-top:1rem}
details>summary{min-height:2.75rem;padding:.625rem 0;cursor:pointer;font-weight:600}
.story{padding:0;list-style:none}
.story li{padding:.5rem 0;border-bottom:1px solid var(--line)}
.tag{display:inline-block;padding:0 .5rem;border:1px solid var(--soft);border-radius:.375rem;font-size:.875rem;font-weight:600}
.count{margin-inline-start:.375rem;padding:0 .4375rem;border-radius:1rem;background:var(--accent);color:var(--on-accent);font-size:.875rem;font-weight:600}
button[data-notify]{display:none}
[data-notified=no] [data-notify=on],[data-notified=yes] [data-notify=off]{display:inline-block}
.inline{display:flex;gap:.5rem;align-items:end;flex-wrap:wrap}
.story .inline{margin-top:.5rem}
.tick{display:flex;gap:.5rem;align-items:center;font-weight:400}
.inline .tick{flex-basis:100%}
.inline button{width:auto;margin:0}
fieldset.q{margin:1.5rem 0 0;padding:1rem 0 0;border-top:1px solid var(--line)}
.q>legend{float:inline-start;width:100%;margin:0;padding:0;font-size:1.125rem}
.q>legend+*{clear:both}
.window{display:flex;flex-wrap:wrap;gap:.25rem .5rem;align-items:center;margin:.5rem 0}
.window .check{flex:1 0 9rem;align-items:center}
.from-to{display:flex;flex:1 0 14rem;gap:.5rem;align-items:center}
.from-to input{flex:1 1 6rem;width:auto;min-width:0}
.part{margin:1.25rem 0 0;padding:0 0 0 1rem;border-inline-start:.25rem solid var(--line)}
[dir=rtl] .part{padding:0 1rem 0 0}
.part>legend{margin:0;padding:0;font-size:1.0625rem}
.one{margin:.75rem 0;padding:.5rem 1rem 1rem;border:1px solid var(--line);border-radius:.5rem}
.one legend{padding:0 .25rem}
.rows button,.one button{width:auto;min-height:2.75rem;margin:.75rem 0 0}
.ticks{display:flex;flex-wrap:wrap;gap:.5rem 1rem}
.ticks legend{float:inline-start}
.ticks legend,.ticks .hint{width:100%}
.ticks .check{min-height:1.75rem;align-items:center}
.ticks legend{padding:0}
.fields{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,12rem),1fr));gap:0 1rem;align-items:end}
.fields>:not(.field),.fields>.wide{grid-column:1/-1}
.hint{margin:0 0 .25rem;font-size:.9375rem}
.source{font:.875rem/1.5 ui-monospace,monospace;white-space:pre;overflow-x:auto}
.numbers{font-variant-numeric:tabular-nums}
.numbers thead th{color:var(--soft);overflow-wrap:normal}
.numbers thead th+th,.numbers thead td+th{padding-inline-start:.75rem;text-align:end}
.numbers td{padding-inline-start:.75rem;text-align:end;white-space:nowrap}
.chart{display:block;width:100%;height:10rem;border-bottom:1px solid var(--line)}
.chart rect,.share rect{fill:var(--accent)}
.chart polyline{fill:none;stroke:var(--soft);stroke-width:2;stroke-dasharray:5 4;vector-effect:non-scaling-stroke}
.share{display:block;width:100%;height:.375rem;margin-top:.25rem;border-radius:.25rem;background:var(--note)}
.heat{overflow-x:auto}
.heat table{width:auto;border-collapse:separate;border-spacing:2px;font-variant-numeric:tabular-nums}
.heat :is(th,td){min-width:3.25rem;padding:.5rem;border:0;text-align:center;white-space:nowrap}
.heat :is(thead th,thead td){color:var(--soft);font-size:.875rem}
.heat tbody th{position:sticky;inset-inline-start:0;min-width:7rem;max-width:9rem;background:var(--paper);text-align:start;white-space:normal;overflow-wrap:break-word}
${[0, 1, 2, 3, 4, 5].map((shade) => `.heat td.heat${shade}{border-radius:.25rem;background:color-mix(in srgb,var(--accent) ${shade * 7}%,var(--note))}`).join('')}
[dir=rtl] :is(.chart,.share){transform:scaleX(-1)}
.ends{display:flex;justify-content:space-between;gap:.5rem;margin:.25rem 0;font-size:.875rem}
@media screen and (min-width:60rem){ol[data-first]{content-visibility:auto}}
@media print{
:root{color-scheme:light;--ink:#000;--paper:#fff;--ground:#fff;--note:#fff;--line:#999;--soft:#444}
header.desk,.week,.acts,.skip,.add,.away,.now,main .note,details{display:none!important}
body,main,main.wide{max-width:none;margin:0;padding:0;border:0}
.columns{overflow:visible!important;zoom:.7}
.thing{break-inside:avoid}
.columns h2{break-after:avoid}
}
.series .tick{display:flex;gap:.75rem;align-items:center;min-height:2.75rem;margin:0;font-weight:400}`

export function deskStyle(accent = DEFAULT_ACCENT): string {
  const { light, dark } = accentOf(accent)
  return `${style.text}
:root{--accent:${light.accent};--on-accent:${light.on}}
@media (prefers-color-scheme:dark){:root{--accent:${dark.accent};--on-accent:${dark.on}}}${deskRules}
${positions}
@media (min-width:60rem){${heights}}`
}
