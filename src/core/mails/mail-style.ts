import type { Accent } from '../../infra/util/accent.ts'

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const INK = '#1c1b22'
const SOFT = '#5a5866'
const LINE = '#d9d7e0'
const GROUND = '#f3f2f6'

/**
 * `start` follows the writing direction of the language. The few programs that do not know it use the direction of the
 * text.
 */
export const styles = {
  body: `margin:0;padding:0;background:${GROUND};color:${INK}`,
  preview: 'display:none;max-height:0;overflow:hidden;mso-hide:all',
  ground: `background:${GROUND}`,
  name: `${FONT};padding:0 4px 16px;color:${INK};font-size:16px;font-weight:600;text-align:start`,
  logo: 'display:block;height:48px;max-width:240px;border:0',
  paper: `${FONT};padding:28px 24px;background:#ffffff;border:1px solid ${LINE};border-radius:12px;text-align:start`,
  heading: `margin:0 0 16px;color:${INK};font-size:22px;line-height:1.3;font-weight:600`,
  paragraph: `margin:0 0 12px;color:${INK};font-size:16px;line-height:1.5;white-space:pre-line;overflow-wrap:anywhere`,
  rows: 'margin:16px 0;border-collapse:collapse',
  rowName: `padding:8px 0;padding-inline-end:16px;border-bottom:1px solid ${LINE};color:${SOFT};font-size:15px;line-height:1.4;font-weight:400;text-align:start;vertical-align:top;white-space:nowrap`,
  rowValue: `width:100%;padding:8px 0;border-bottom:1px solid ${LINE};color:${INK};font-size:15px;line-height:1.4;text-align:start;vertical-align:top;white-space:pre-line;overflow-wrap:anywhere`,
  buttonTable: 'margin:24px 0 16px',
  button:
    'display:inline-block;padding:14px 24px;border-radius:8px;font-size:16px;font-weight:600;line-height:1.25;text-decoration:none',
  footer: `${FONT};padding:16px 4px 0;color:${SOFT};font-size:13px;line-height:1.6;text-align:start`,
}

export const darkStyle = ({
  dark,
}: Accent): string => `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background:#15141b!important}
.paper{background:#211f2a!important;border-color:#45424f!important}
.ink{color:#f1eff7!important}
.soft{color:#b9b5c6!important}
.line{border-color:#45424f!important}
.link{color:${dark.accent}!important}
.button{background:${dark.accent}!important;color:${dark.on}!important}
}`
