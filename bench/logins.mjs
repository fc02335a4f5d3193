// node bench/logins.mjs URL [COUNT]: COUNT logins at once at a running demo portal, and how long other calls take meanwhile.
const [base = 'http://127.0.0.1:8080', count = '500'] = process.argv.slice(2)
const people = ['employee', 'pensioner', 'insured', 'external', 'instructor'].map(name => `${name}@demo.example`)
const others = ['/api/season', '/api/course?view=index', '/api/division', '/api/config/datetime']
const PAUSE_MS = 50

const [cookie = ''] = (await fetch(`${base}/api/season`)).headers.get('Set-Cookie')?.split(';') ?? []
const headers = { 'Content-Type': 'application/json', Cookie: cookie, 'X-XSRF-TOKEN': cookie.split('=')[1] ?? '' }

const measured = { login: [], other: [] }
async function measure(kind, work) {
  const startedAt = performance.now()
  const result = await work()
  measured[kind].push(performance.now() - startedAt)
  return result
}
const percentile = (values, part) => Math.round(values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1])

let isBusy = true
const readers = others.map(async path => {
  while (isBusy) {
    await measure('other', async () => (await fetch(base + path)).arrayBuffer())
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
})
const startedAt = performance.now()
const statuses = await Promise.all(
  Array.from({ length: Number(count) }, async (_, index) => {
    const body = JSON.stringify({ userName: people[index % people.length], password: 'Demo-Sport-2026' })
    const response = await measure('login', () => fetch(`${base}/api/session`, { method: 'PUT', headers, body }))
    return (await response.json()).status
  }),
)
const ms = performance.now() - startedAt
isBusy = false
await Promise.all(readers)

console.log(`logins: ${statuses.filter(status => status === 'Ok').length} of ${count} Ok in ${Math.round(ms)} ms`)
for (const [kind, values] of Object.entries(measured)) {
  const [p50, p95, max] = [0.5, 0.95, 1].map(part => percentile(values, part))
  console.log(`${kind}: ${values.length} calls, median ${p50} ms, 95th percentile ${p95} ms, slowest ${max} ms`)
}
