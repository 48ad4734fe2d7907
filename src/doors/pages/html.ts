export { type Content, Html, html } from '../../basics/html.ts'
