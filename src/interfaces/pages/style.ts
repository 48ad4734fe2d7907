import { Html } from '../../infra/util/html-template.ts'

/**
 * The CSS of all pages. The pages also work at a width of 320 pixels, in dark mode, and in languages that people write
 * from right to left.
 */
export const style = new Html(
  `
:root{color-scheme:light dark;--ink:#1c1b22;--soft:#5a5866;--paper:#fff;--ground:#f3f2f6;--line:#d9d7e0;--danger:#a3121f;--note:#efeef4;--radius:.75rem}
@media (prefers-color-scheme:dark){:root{--ink:#f1eff7;--soft:#b9b5c6;--paper:#211f2a;--ground:#15141b;--line:#45424f;--danger:#ff9a9a;--note:#2c2a37}}
*{box-sizing:border-box}
[hidden]{display:none!important}
@media (scripting:enabled){[data-needless]{display:none!important}}
@media (scripting:none){[data-needed]{display:none!important}}
html{scroll-behavior:smooth}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;padding:1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:36rem;margin:0 auto}
main.wide{max-width:60rem}
body:has(main.wide) :is(header,footer){max-width:60rem}
.brand{margin:.25rem 0 1rem;font-weight:600}
.brand a{display:inline-flex;gap:.75rem;align-items:center;min-height:2.75rem}
.brand img{height:2.5rem;width:auto;border-radius:.375rem}
main{background:var(--paper);border:1px solid var(--line);border-radius:var(--radius);padding:1.25rem}
@media (min-width:48rem){body{padding:1.5rem}main{padding:2rem}}
h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25;text-wrap:balance}
h2{margin:1.75rem 0 .5rem;font-size:1.125rem}
h3{margin:1rem 0 .5rem;font-size:1rem}
p{margin:0 0 .75rem}
a{color:var(--accent)}
header a{color:inherit;text-decoration:none}
header a:hover{text-decoration:underline}
dl{margin:1rem 0;border-top:1px solid var(--line)}
dl div{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.5rem 0;border-bottom:1px solid var(--line)}
dt{flex:1 0 100%;color:var(--soft)}
@media (min-width:30rem){dt{flex:0 0 9.5rem}}
dd{flex:1 1 12rem;margin:0}
dl div:has(.copy){gap:0 .5rem}
dd:has(+.copy){flex-basis:6rem}
dd.copy{flex:none}
dd.copy button{width:auto;min-height:1.5rem;margin:0;padding:0;border:0;font-weight:400;text-decoration:underline}
.code{display:block;width:12rem;margin:.75rem 0;border-radius:.25rem}
summary{min-height:2.75rem;padding:.625rem 0;color:var(--accent);font-weight:600;cursor:pointer}
table{width:100%;margin:1rem 0;border-collapse:collapse}
th,td{padding:.5rem 0;border-bottom:1px solid var(--line);text-align:start;font-weight:400;vertical-align:top}
th+td,tfoot td{padding-inline-start:1rem;text-align:end;white-space:nowrap}
tfoot th,tfoot td{font-weight:600}
.note{padding:.75rem 1rem;border-inline-start:.25rem solid var(--accent);border-radius:.25rem;background:var(--note)}
.note a{color:inherit}
.note+.note{margin-top:1rem}
.note ul{margin:.5rem 0 0;padding-inline-start:1.25rem}
.wrong{border-color:var(--danger)}
.text{margin:0 0 .75rem;padding:1rem;border:1px solid var(--line);border-radius:.5rem;white-space:pre-line}
.soft,.hint{color:var(--soft)}
.error{margin:.25rem 0;color:var(--danger);font-weight:600}
ul.steps{padding:0;list-style:none}
ul.steps a{display:block;margin:0 0 .5rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem}
ul.bookings a{color:inherit;text-decoration:none}
ul.bookings a:hover{border-color:var(--accent)}
.bookings strong{color:var(--accent)}
label,legend{display:block;margin:1rem 0 .25rem;font-weight:600}
label .hint{font-weight:400}
fieldset{margin:0;padding:0;border:0;min-width:0}
textarea,input,select{display:block;width:100%;min-height:2.75rem;padding:.625rem;border:1px solid var(--soft);border-radius:.5rem;background:var(--paper);color:inherit;font:inherit}
input[type=checkbox]{flex:none;width:1.5rem;height:1.5rem;min-height:0;margin:0;accent-color:var(--accent)}
textarea+p{margin-top:.75rem}
[aria-invalid=true]{border-color:var(--danger)}
.check{display:flex;gap:.75rem;align-items:flex-start}
.check label{margin:0;font-weight:400}
.two{display:grid;gap:0 1rem}
@media (min-width:30rem){.two{grid-template-columns:1fr 1fr}}
button,.button{display:block;width:100%;min-height:3rem;margin:1.25rem 0 .75rem;padding:.625rem 1rem;border:2px solid var(--accent);border-radius:.5rem;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
button:disabled{opacity:.5;cursor:default}
button.danger,.button.plain,button.plain{background:transparent;color:var(--accent)}
button.danger,.button.danger{border-color:var(--danger);background:transparent;color:var(--danger)}
button.quiet{width:auto;min-height:2.75rem;margin:0;padding:0;border:0;background:transparent;color:var(--accent);font-weight:400;text-decoration:underline}
.reach{display:flex;flex-wrap:wrap;gap:0 1.25rem;margin:0 0 .75rem;padding:0;list-style:none}
.reach :is(a,span){display:inline-flex;align-items:center;min-height:2.75rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.skip{position:absolute;inset-inline-start:-999rem}
.skip:focus{inset-inline-start:1rem;padding:.5rem 1rem;background:var(--paper);z-index:1}
footer{padding:1rem 0;color:var(--soft);font-size:.9375rem}
footer ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0 0 .75rem;padding:0;list-style:none}
footer :is(a,span){display:inline-block;padding:.25rem 0;color:var(--soft)}
footer [aria-current]{color:var(--ink);font-weight:600}
.trap{position:absolute;inset-inline-start:-999rem;height:1px;overflow:hidden}
.services{display:grid;gap:1rem;margin:1rem 0;padding:0;list-style:none}
@media (min-width:40rem){.services{grid-template-columns:repeat(auto-fill,minmax(17rem,1fr))}}
.card{position:relative;display:flex;flex-direction:column;height:100%;overflow:hidden;border:1px solid var(--line);border-radius:var(--radius)}
.card:hover{border-color:var(--accent)}
.picture{position:relative;aspect-ratio:2/1;max-height:14rem;width:100%;overflow:hidden;background:linear-gradient(135deg,color-mix(in srgb,var(--accent) 28%,var(--paper)),color-mix(in srgb,var(--accent) 10%,var(--paper)))}
.picture span{position:absolute;inset:0;display:grid;place-content:center;color:var(--accent);font-size:3rem;font-weight:300}
.picture img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover}
main>.picture{margin:0 0 1rem;border-radius:.5rem}
.card>div:not(.picture){padding:1rem}
.card h2{margin:0 0 .25rem;font-size:1.0625rem}
.card h2 a{display:block;color:inherit;text-decoration:none}
.card h2 a::after{content:"";position:absolute;inset:0}
.card p{margin:.25rem 0 0}
.card .price{color:var(--ink);font-weight:600}
.clamp{display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}
.chips{display:flex;flex-wrap:wrap;gap:.5rem;margin:.25rem 0 1rem;padding:0;list-style:none}
.chips a{display:inline-flex;align-items:center;min-height:2.75rem;padding:.25rem 1rem;border:1px solid var(--soft);border-radius:2rem;color:inherit;text-decoration:none}
.chips a[aria-current]{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
.search{display:flex;gap:.5rem;margin:0 0 1rem}
.search button{flex:none;width:auto;min-height:2.75rem;margin:0}
.pick{display:grid;gap:0 2rem;margin-top:1rem}
@media (min-width:48rem){.pick{grid-template-columns:minmax(18rem,22rem) 1fr;align-items:start}#times{display:flex;align-items:center;min-height:2.75rem;margin:0}}
.weeks{display:flex;align-items:center;justify-content:space-between}
.weeks h2{margin:0}
.weeks a,.weeks span{display:inline-flex;align-items:center;justify-content:center;width:2.75rem;height:2.75rem;border-radius:50%;text-decoration:none;font-size:1.25rem}
.weeks span{visibility:hidden}
table.days{table-layout:fixed;margin:.5rem 0}
.days :is(th,td){padding:2px;border:0;text-align:center}
.days th{color:var(--soft);font-size:.875rem;white-space:nowrap}
.days td+td,.days th+th{padding:2px}
.days :is(a,span){position:relative;display:flex;flex-direction:column-reverse;align-items:center;justify-content:center;min-height:2.75rem;border-radius:.5rem;line-height:1.125;text-decoration:none}
.days [data-month]::after{content:attr(data-month);font-size:.75rem;font-weight:400;white-space:nowrap;overflow-wrap:normal}
.days span{color:var(--soft)}
.days a{border:1px solid var(--line);background:var(--note);color:var(--ink);font-weight:600}
.days a:hover{border-color:var(--accent)}
.days a.full{border-style:dashed;border-color:var(--soft);background:transparent;color:var(--soft);font-weight:400}
.full::before{content:"";position:absolute;inset-block-end:.3125rem;width:.375rem;height:.375rem;border:1.5px solid currentColor;border-radius:50%}
.key{display:flex;gap:.5rem;align-items:center;font-size:.9375rem}
.key .full::before{position:static;display:block}
.days a[aria-current]{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.times{display:grid;grid-template-columns:repeat(auto-fill,minmax(6.75rem,1fr));gap:.5rem;margin:0;padding:0;list-style:none}
.times button,.times .button{margin:0;min-height:2.75rem;padding:.375rem .5rem;border-width:1px;background:transparent;color:var(--ink)}
.times button:is(:hover,:focus-visible){background:var(--accent);color:var(--on-accent)}
.times .button{display:flex;flex-direction:column;justify-content:center}
.times .own{background:var(--accent);color:var(--on-accent)}
.times small{display:block;font-weight:400}
.facts{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0 0 1rem;padding:0;list-style:none;color:var(--soft)}
.facts a,.way{display:inline-block;padding:.25rem 0}
.zone{min-height:3rem;margin:.75rem 0 1rem}
.done{display:flex;flex-wrap:wrap;gap:.5rem 1rem;margin:1.25rem 0}
.done :is(button,.button){flex:1 1 12rem;margin:0;width:auto}
@media (forced-colors:active){:is(nav,.chips,.days) [aria-current],summary.here{--accent:Highlight;--on-accent:HighlightText;forced-color-adjust:none}}
.framed body{padding:0;background:transparent}
.framed header{display:none}
@media print{:root{--ink:#000;--soft:#333;--paper:#fff;--ground:#fff;--note:#fff;--line:#999}body,main{padding:0;border:0}.skip,.languages,.done,.choose,form{display:none}}
`.trim(),
)
