import { useTranslation } from 'react-i18next'
import type { WebUser } from '#contract/accounts.ts'
import { BILLING_TYPE } from '#contract/values.ts'
import { useResource } from '#lib/resource.ts'

/** Selects the text about the payer, with its values; an incomplete profile has a separate text. */
function billingOf({ billingType, personnelNumber, ownerPersonnelNumber, street, zip, city }: WebUser) {
  const address = street && city ? `${street}, ${zip} ${city}` : ''
  if (billingType === BILLING_TYPE.Invoice && address) return { kind: 'invoice', address }
  if (billingType === BILLING_TYPE.PersonnelNumber && personnelNumber) return { kind: 'own', number: personnelNumber }
  if (billingType === BILLING_TYPE.ForeignPersonnelNumber && personnelNumber && ownerPersonnelNumber)
    return { kind: 'other', number: personnelNumber, owner: ownerPersonnelNumber }
  return { kind: 'profile' }
}

/** The payer of a booking according to the current profile. */
export function BilledBy() {
  const { t } = useTranslation('own-bookings')
  // Without the profile the payer is not shown.
  const { data: person } = useResource('getWebUser', {})
  const { kind, ...values } = person ? billingOf(person) : { kind: 'profile' }
  return <p>{t(`step.billed.${kind}`, values)}</p>
}
