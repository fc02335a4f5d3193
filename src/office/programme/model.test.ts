import { expect, test } from 'vitest'
import { addressesOfNames, instructorsOfNames, isPlaceholderVenue, nextSeason } from './model.ts'

test('the copy of a season is proposed 52 weeks later, with the next year in its names', () => {
  const winter = {
    name: 'Winter 2026/27',
    name2: 'Winter 2026/27',
    shortcut: 'W26',
    startsAt: '2026-10-05',
    endsAt: '2027-01-24',
    bookableFrom: '2026-09-14T18:00',
    viewableFrom: '2026-09-07T00:00',
  }
  expect(nextSeason(winter)).toEqual({
    name: 'Winter 2027/28',
    name2: 'Winter 2027/28',
    shortcut: 'W27',
    startsAt: '2027-10-04',
    endsAt: '2028-01-23',
    bookableFrom: '2027-09-13T18:00',
    viewableFrom: '2027-09-06T00:00',
  })
  const always = {
    ...winter,
    name: 'Dauerkurse',
    name2: '',
    shortcut: 'D',
    endsAt: null,
    viewableFrom: '2000-01-01T00:00',
  }
  expect(nextSeason(always)).toEqual({
    name: 'Dauerkurse',
    startsAt: '2027-10-04',
    bookableFrom: '2027-09-13T18:00',
  })
})

test.each(['noch unbekannt', 'Diverse', 'verschiedene Orte', 'N.N.', '?', 'tba'])('"%s" is no room', name => {
  expect(isPlaceholderVenue(name)).toBe(true)
})

test.each(['AKI', 'Nordhalle', 'Halle 1', 'Offener Kanal'])('"%s" may be a room', name => {
  expect(isPlaceholderVenue(name)).toBe(false)
})

test('displayed names are matched with instructors, and several names with several addresses', () => {
  const known = [
    { email: 'ida@demo.example', givenName: 'Ida', familyName: 'Karaca' },
    { email: 'one@demo.example', givenName: 'Kim', familyName: 'Berg' },
    { email: 'two@demo.example', givenName: 'Kim', familyName: 'Berg' },
  ]
  const names = ['Ida Karaca', 'KARACA, Ida', 'Kim Berg', 'Ida Karaca & Jo de Wit'].map(name => ({ name }))
  expect(addressesOfNames(names, known)).toEqual({
    'Ida Karaca': 'ida@demo.example',
    'KARACA, Ida': 'ida@demo.example',
    'Kim Berg': '',
    'Ida Karaca & Jo de Wit': '',
  })
  const typed = {
    'Jo Neu': '',
    'Neu, Jo': 'Jo@demo.example',
    'Ida Karaca & Jo Wit': 'ida@demo.example jo@demo.example',
  }
  expect(instructorsOfNames(typed)).toEqual([
    { name: 'Neu, Jo', email: 'jo@demo.example', familyName: 'Neu', givenName: 'Jo' },
    { name: 'Ida Karaca & Jo Wit', email: 'ida@demo.example', familyName: 'Karaca', givenName: 'Ida' },
    { name: 'Ida Karaca & Jo Wit', email: 'jo@demo.example', familyName: 'Wit', givenName: 'Jo' },
  ])
})
