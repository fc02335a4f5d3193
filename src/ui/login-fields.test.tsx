import { useState } from 'react'
import { expect, test } from 'vitest'
import { control, fill, render } from '#test/render.tsx'
import { UserNameField } from './login-fields.tsx'

function Form() {
  const [email, setEmail] = useState('')
  return <UserNameField label="E-Mail" value={email} onChange={setEmail} />
}

test.each([
  ['Kim Muster <kim@demo.example>', 'kim@demo.example'],
  ['mailto:kim@demo.example', 'kim@demo.example'],
  ['kim@demo.example', 'kim@demo.example'],
  ['kim', 'kim'],
])('%s pasted into the e-mail field is %s', async (pasted, shown) => {
  const container = await render(<Form />)
  await fill(container, 'username', pasted)
  expect(control(container, 'username').value).toBe(shown)
})
