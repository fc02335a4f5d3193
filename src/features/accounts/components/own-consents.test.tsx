import { expect, test } from 'vitest'
import { render } from '#test/render.tsx'
import consents from '../../../i18n/de/consents.json' with { type: 'json' }
import { OwnConsents } from './own-consents.tsx'

const withdrawal = `[aria-label="${consents.withdraw}: ${consents.insurance.title}"]`

test('an insurance number without a stored consent can be withdrawn, and a missing one cannot', async () => {
  const show = (hasInsuranceNumber: boolean) =>
    render(<OwnConsents given={[]} hasInsuranceNumber={hasInsuranceNumber} onChange={() => undefined} />, 'consents')
  expect((await show(true)).querySelector(withdrawal)).not.toBeNull()
  expect((await show(false)).querySelector(withdrawal)).toBeNull()
})
