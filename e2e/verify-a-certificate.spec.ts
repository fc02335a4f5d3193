import { randomUUID } from 'node:crypto'
import type { SentAct } from '#contract/acts/acts.ts'
import { getInboxFile, listMessages } from '#contract/endpoints/inbox.ts'
import { login } from '#contract/endpoints/session.ts'
import { listOfficeCourses, performAct } from '#contract/office/office.ts'
import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { test } from './browser-fixture.ts'
import { DEMO_PASSWORD, emailOf, expect, type Portal } from './fixtures.ts'
import { tokenOf } from './people-steps.ts'

type Sent = SentAct extends infer A ? (A extends { actId: string } ? Omit<A, 'actId'> : never) : never

/**
 * Certifies and settles a course of the demo's past season, so that its participants get certificates.
 * @returns the fragment of the address in the QR code of one
 */
async function settleCertified(
  portal: Portal,
): Promise<{ fragment: string; code: string; act: (act: Sent) => Promise<void> }> {
  const desk = await tokenOf(portal, { email: emailOf('desk'), password: DEMO_PASSWORD })
  const act = async (body: Sent) => {
    const answer = await portal.call(performAct, {
      body: { actId: randomUUID(), preview: false, ...body } as never,
      token: desk,
    })
    expect(answer.status, answer.message).toBe('Ok')
  }
  const { items } = await portal.call(listOfficeCourses, { query: { q: 'S-0301' }, token: desk })
  const courseId = items.find(({ number }) => number === 'S-0301')?.id ?? 0
  await act({ kind: 'change-course', courseId, centralTestInstitute: 'KU-BE-7XK2PA' })
  await act({ kind: 'settle-courses', courseIds: [courseId], reason: 'Demo' })
  const member = { userName: 'thorben.kraus@demo.example', password: DEMO_PASSWORD, keepSession: false }
  const { id: token } = await portal.call(login, { body: member })
  const message = (await portal.call(listMessages, { token })).find(({ title }) => /Teilnahmebescheinigung/.test(title))
  const response = await fetch(`${portal.url}${getInboxFile.path.replace(':id', String(message?.id))}`, {
    headers: { SessionToken: token },
  })
  const pdf = Buffer.from(await response.arrayBuffer()).toString('latin1')
  const [, fragment = ''] = /\(http[^)]*\/certificates(#[^)]*)\)/.exec(pdf) ?? []
  const payload = JSON.parse(Buffer.from(fragment.split('.')[1] ?? '', 'base64url').toString())
  return { fragment, code: payload.jti, act }
}

test('a certificate is verified from its QR code, also offline, and a modified one is rejected @extended', async ({
  portal,
  gate,
  installFrom,
}) => {
  const { fragment, code, act } = await settleCertified(portal)
  const { page } = await installFrom('/certificates')
  await expect(page.getByText('Scannen Sie den QR-Code')).toBeVisible()

  gate.isOpen = false
  await page.goto(`/certificates${fragment}`)
  const verdict = page.getByRole('status').filter({ has: page.getByRole('heading') })
  await expect(verdict).toContainText('Ob sie noch gilt, lässt sich erst mit einer Verbindung zum Portal prüfen.')
  await expect(page.getByRole('region', { name: 'Das haben wir bescheinigt' })).toContainText('10 von 10 Kurseinheiten')

  gate.isOpen = true
  await page.goto('/faq')
  await page.goto(`/certificates${fragment}`)
  await expect(verdict).toContainText('Echt und gültig')
  const facts = page.getByRole('region', { name: 'Das haben wir bescheinigt' })
  for (const fact of ['Thorben Kraus', 'KU-BE-7XK2PA', '60 Minuten', '36,00']) await expect(facts).toContainText(fact)
  expect(await violationsInBothSchemes(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  await page.screenshot({ path: test.info().outputPath('valid.png'), fullPage: true })

  await act({ kind: 'revoke-certificate', code, reason: 'Irrtum' })
  await page.reload()
  await expect(verdict).toContainText('Nicht mehr gültig')

  const [header, payload = '', signature] = fragment.slice(1).split('.')
  const more = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('Thorben', 'Torsten'))
  await page.goto(`/certificates#${[header, more.toString('base64url'), signature].join('.')}`)
  await expect(verdict).toContainText('Nicht echt')
  await expect(facts).toBeHidden()
})
