/**
 * Creates a passkey, or signs a staff member in with a passkey. The script fetches options from the server, calls the
 * device, and submits the result with the form. Without scripts, the passkey forms are hidden, and staff sign in with a
 * link.
 */
const ways = {
  add: (options) =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  enter: (options) =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
}

addEventListener('submit', async (event) => {
  const form = event.target
  const way = ways[form.dataset.passkey]
  if (!way) return
  event.preventDefault()
  const failed = form.querySelector('[data-failed]')
  failed.hidden = true
  try {
    const answer = await fetch(form.dataset.options, { method: 'POST' })
    const { id, response } = (await way(await answer.json())).toJSON()
    for (const [name, value] of Object.entries({ id, ...response }))
      if (typeof value === 'string')
        form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
    form.submit()
  } catch {
    failed.setAttribute('role', 'alert')
    failed.hidden = false
  }
})
