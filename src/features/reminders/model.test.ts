import { expect, test } from 'vitest'
import { calendarAppUrl } from './model.ts'

const [IPHONE, MAC] = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X)',
]
const [WINDOWS, ANDROID] = ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Mozilla/5.0 (Linux; Android 16)']

test.each([
  [IPHONE, 'https://a.example/x.ics', 'webcal://a.example/x.ics'],
  [MAC, 'https://a.example/x.ics', 'webcal://a.example/x.ics'],
  [WINDOWS, 'https://a.example/x.ics', 'webcals://a.example/x.ics'],
  [ANDROID, 'https://a.example/x.ics', 'webcals://a.example/x.ics'],
  [WINDOWS, 'http://localhost:3000/x.ics', 'webcal://localhost:3000/x.ics'],
])('%s opens %s as %s', (userAgent, url, expected) => expect(calendarAppUrl(url, userAgent)).toBe(expected))
