/**
 * Defines the HTML element `<usp-booking service="svc_haircut" lang="de"></usp-booking>`. The element shows the booking
 * pages in a frame on the website of the business. Without the attribute `service`, the frame shows all services. The
 * attribute `theme` sets the color scheme: `light`, `dark`, or `auto` for the preference of the visitor.
 */
const home = new URL(import.meta.url).origin

const schemes = { light: 'light', dark: 'dark', auto: 'light dark' }

class UspBooking extends HTMLElement {
  #frame
  #listen = ({ source, origin, data }) => {
    if (origin !== home || source !== this.#frame?.contentWindow || data?.type !== 'usp-booking') return
    this.#frame.style.height = `${Math.min(Math.max(Number(data.height) || 0, 200), 20_000)}px`
    if (!this.hasAttribute('title')) this.#frame.title = String(data.title || this.#frame.title)
  }

  connectedCallback() {
    const address = new URL(`/book/${encodeURIComponent(this.getAttribute('service') ?? '')}`.replace(/\/$/, ''), home)
    const language = this.getAttribute('lang') || document.documentElement.lang
    if (language) address.searchParams.set('lang', language)
    this.#frame = document.createElement('iframe')
    this.#frame.src = address.href
    this.#frame.title = this.getAttribute('title') || 'Booking'
    this.#frame.loading = 'lazy'
    this.#frame.allow = 'payment; clipboard-write'
    this.#frame.style.cssText = 'display:block;width:100%;height:600px;border:0'
    // The booking pages in the frame use the color scheme of the surrounding website, and not the system setting of the
    // visitor. The default is light, because websites without a declared color scheme are usually light.
    this.#frame.style.colorScheme = this.#scheme()
    // A new page in the frame can begin above the visible area. Therefore the script scrolls to the top of the frame.
    this.#frame.addEventListener('load', () => {
      if (this.getBoundingClientRect().top < 0) this.scrollIntoView()
    })
    addEventListener('message', this.#listen)
    this.replaceChildren(this.#frame)
  }

  #scheme() {
    const { colorScheme } = getComputedStyle(this)
    const ofPage = document.querySelector('meta[name=color-scheme]')?.content
    return schemes[this.getAttribute('theme')] ?? (colorScheme === 'normal' ? (ofPage ?? 'light') : colorScheme)
  }

  disconnectedCallback() {
    removeEventListener('message', this.#listen)
  }
}

if (!customElements.get('usp-booking')) customElements.define('usp-booking', UspBooking)
