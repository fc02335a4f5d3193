import i18next from 'i18next'
import { expect, test } from 'vitest'
import { DATA_KINDS } from '#contract/tables/data-map.ts'
import { DEVICE_DATA_KINDS } from '#contract/tables/device-map.ts'
import german from '../../i18n/de/privacy.json' with { type: 'json' }
import germanRecord from '../../i18n/de/processing-record.json' with { type: 'json' }
import english from '../../i18n/en/privacy.json' with { type: 'json' }
import englishRecord from '../../i18n/en/processing-record.json' with { type: 'json' }
import { deviceDataRows, processingRows, serverDataRows, superiorsLines, type Translate } from './data-map-model.ts'

const sayIn = async (lng: string, resources: object): Promise<Translate> => {
  const instance = i18next.createInstance()
  const parseMissingKeyHandler = (key: string): string => {
    throw new Error(`no text for ${key}`)
  }
  await instance.init({ lng, resources: { [lng]: { translation: resources } }, parseMissingKeyHandler })
  return (key, values = {}) => instance.t(key, { insurer: 'BKK', ...values })
}

test.each([
  ['de', german],
  ['en', english],
])('every kind of data in %s states content, purpose, readers, retention and legal basis', async (language, texts) => {
  const say = await sayIn(language, texts)
  const personal = Object.entries(DATA_KINDS).filter(([, { article6 }]) => article6 !== null)
  const rows = serverDataRows(say)
  expect(rows.map(({ name }) => name)).toEqual(personal.map(([name]) => name))
  expect(deviceDataRows(say).map(({ name }) => name)).toEqual(Object.keys(DEVICE_DATA_KINDS))
  for (const { what, why, facts } of [...rows, ...deviceDataRows(say)]) {
    for (const text of [what, why, ...facts.flat()]) expect(text).toMatch(/^[^{}]{2,}$/)
  }
  expect(JSON.stringify(texts.data)).not.toContain('""')
})

test('retention periods and legal bases are shown as declared in the data map', async () => {
  const rows = new Map(
    serverDataRows(await sayIn('de', german)).map(({ name, facts }) => [name, Object.fromEntries(facts)]),
  )
  expect(rows.get('mail')?.['Wie lange']).toContain('6 Monate nach der E-Mail')
  expect(rows.get('listed')?.['Wie lange']).toContain('für die Kursleitung 8 Wochen nach dem letzten Termin')
  expect(rows.get('insurance')?.Rechtsgrundlage).toBe('Art. 6 Abs. 1 Buchst. b DSGVO, Art. 9 Abs. 2 Buchst. a DSGVO')
  const device = deviceDataRows(await sayIn('en', english)).find(({ name }) => name === 'participants')
  expect(device?.facts).toEqual([['How long', '48 hours after the date; until you log out or the session ends']])
})

test.each([
  ['de', german, germanRecord],
  ['en', english, englishRecord],
])('the record of processing in %s names whom each kind of data concerns', async (language, texts, record) => {
  const rows = processingRows(await sayIn(language, texts), await sayIn(language, record))
  expect(rows).toHaveLength(Object.values(DATA_KINDS).filter(({ article6 }) => article6 !== null).length)
  for (const { facts } of rows) expect(facts.map(([, value]) => value).join(' ')).toMatch(/^[^{}]{20,}$/)
})

test('superiors see only what everyone sees, and each other kind of data is listed with those who see it', async () => {
  const { visible, hidden } = superiorsLines(await sayIn('en', english))
  expect(visible).toHaveLength(
    Object.values(DATA_KINDS).filter(kind => kind.article6 && kind.seenBy.some(viewer => viewer === 'everyone')).length,
  )
  expect(visible.join()).toContain('Photos')
  expect(hidden).toContain('- Attendance on the dates (you, your instructor, the department and its billing)')
  for (const line of hidden) expect(line).toMatch(/^- .+ \(.+\)$/)
})
