/**
 * Shows the languages of each text in a settings form as tabs. If the user chooses a language at one text, all texts of
 * the form show this language. Without scripts, the languages of a text stand one below the other.
 */

export function showLanguageTabs(main) {
  const groups = [...main.querySelectorAll('fieldset.languages')]
  if (groups.length === 0) return
  for (const group of groups) addTabs(group, choose)
  choose(panelOf(main.querySelector('.in-language [aria-invalid]'))?.dataset.language ?? firstLanguage(groups[0]))

  function choose(language) {
    for (const group of groups) select(group, language)
  }
  const reveal = (field) => {
    const panel = panelOf(field)
    if (panel) choose(panel.dataset.language)
    return panel
  }
  // The browser can focus only a field that is visible.
  main.addEventListener('invalid', ({ target }) => reveal(target), { capture: true })
  main.addEventListener('click', ({ target }) => reveal(fieldAt(target.closest('a[href^="#"]')?.hash)))
  const linked = fieldAt(location.hash)
  if (reveal(linked)) {
    for (let part = linked.closest('details'); part; part = part.parentElement.closest('details')) part.open = true
    linked.focus()
    linked.closest('fieldset').scrollIntoView()
  }
}

const panelOf = (field) => field?.closest('.in-language')
const panelsIn = (group) => [...group.querySelectorAll('.in-language')]
const firstLanguage = (group) => panelsIn(group)[0].dataset.language
const fieldIn = (panel) => panel.querySelector('input, textarea')
const fieldAt = (hash = '') => document.getElementById(decodeURIComponent(hash.slice(1)))

function addTabs(group, choose) {
  const list = document.createElement('div')
  list.role = 'tablist'
  list.ariaLabel = group.dataset.languages
  const panels = panelsIn(group)
  const tabs = panels.map((panel) => {
    const tab = document.createElement('button')
    const mark = document.createElement('span')
    tab.type = 'button'
    tab.role = 'tab'
    tab.id = `${fieldIn(panel).id}-tab`
    panel.id = `${fieldIn(panel).id}-panel`
    panel.role = 'tabpanel'
    tab.setAttribute('aria-controls', panel.id)
    panel.setAttribute('aria-labelledby', tab.id)
    mark.className = 'missing-text'
    mark.title = group.dataset.untranslated
    mark.innerHTML = '<span class="sr"></span>'
    mark.firstChild.textContent = `(${group.dataset.untranslated})`
    tab.append(panel.querySelector('.language').textContent, mark)
    tab.addEventListener('click', () => choose(panel.dataset.language))
    return tab
  })
  list.append(...tabs)
  list.addEventListener('keydown', (event) => {
    const to = tabAfter(event, tabs)
    if (!to) return
    event.preventDefault()
    to.click()
    to.focus()
  })
  panels[0].before(list)
  group.classList.add('tabbed')
  group.addEventListener('input', () => markMissing(group))
  markMissing(group)
}

/** Returns the tab to which a key leads. In a page from right to left, the left arrow leads to the next tab. */
function tabAfter({ key, target }, tabs) {
  const at = tabs.indexOf(target)
  const isRtl = getComputedStyle(target).direction === 'rtl'
  if (key === 'Home') return tabs[0]
  if (key === 'End') return tabs.at(-1)
  if (key === (isRtl ? 'ArrowLeft' : 'ArrowRight')) return tabs[(at + 1) % tabs.length]
  if (key === (isRtl ? 'ArrowRight' : 'ArrowLeft')) return tabs.at(at - 1)
}

function select(group, language) {
  const panels = panelsIn(group)
  if (!panels.some((panel) => panel.dataset.language === language)) return
  const tabs = [...group.querySelectorAll('[role=tab]')]
  for (const [nth, panel] of panels.entries()) {
    const isChosen = panel.dataset.language === language
    panel.hidden = !isChosen
    tabs[nth].ariaSelected = String(isChosen)
    tabs[nth].tabIndex = isChosen ? 0 : -1
  }
}

/** Marks each language in which customers do not see the text. A reader of `de-CH` also sees a text in `de`. */
function markMissing(group) {
  const panels = panelsIn(group)
  const tabs = [...group.querySelectorAll('[role=tab]')]
  const languageOf = (panel) => panel.dataset.language.toLowerCase()
  const usual = fieldIn(panels[0])
  const seen = panels.filter((panel) => panel === panels[0] || fieldIn(panel).value.trim() !== '').map(languageOf)
  for (const [nth, panel] of panels.entries()) {
    const language = languageOf(panel)
    const isSeen = seen.some((one) => language === one || language.startsWith(`${one}-`))
    const isMissing = usual.value.trim() !== '' && !isSeen
    const note = panel.querySelector('.untranslated')
    note.hidden = !isMissing
    tabs[nth].querySelector('.missing-text').hidden = !isMissing
    const others = (fieldIn(panel).getAttribute('aria-describedby') ?? '')
      .split(' ')
      .filter((id) => id && id !== note.id)
    const notes = isMissing ? [...others, note.id] : others
    if (notes.length > 0) fieldIn(panel).setAttribute('aria-describedby', notes.join(' '))
    else fieldIn(panel).removeAttribute('aria-describedby')
  }
}
