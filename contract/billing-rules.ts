import { BILLING_TYPE, type BillingType, EMPLOYEE_STATUS, type EmployeeStatus } from './values.ts'

/** How a group of people may pay, in the order shown. One choice only: it is forced, and nothing is asked. */
export function billingChoices(employeeStatus: EmployeeStatus | null): readonly BillingType[] {
  const { PersonnelNumber, ForeignPersonnelNumber, Invoice, Unknown } = BILLING_TYPE
  switch (employeeStatus) {
    case EMPLOYEE_STATUS.HealthInsurance:
    case EMPLOYEE_STATUS.External:
      return [ForeignPersonnelNumber, Invoice]
    case EMPLOYEE_STATUS.MunicipalUtilities:
      return [Invoice]
    case EMPLOYEE_STATUS.Pensioner:
      return [PersonnelNumber, Invoice]
    case EMPLOYEE_STATUS.Employee:
    case EMPLOYEE_STATUS.Apprentice:
      return [PersonnelNumber]
    default:
      return [PersonnelNumber, ForeignPersonnelNumber, Invoice, Unknown]
  }
}

/**
 * The billing type after a change of status: the same if the new status has it, else what it becomes there.
 * @returns null when the person has to choose
 */
export function convertBilling(
  employeeStatus: EmployeeStatus | null,
  billingType: BillingType | null,
): BillingType | null {
  const choices = billingChoices(employeeStatus)
  if (billingType !== null && choices.includes(billingType)) return billingType
  if (choices.length === 1) return choices[0] ?? null
  if (employeeStatus === EMPLOYEE_STATUS.Pensioner) {
    return billingType === BILLING_TYPE.ForeignPersonnelNumber ? BILLING_TYPE.PersonnelNumber : null
  }
  return billingType === BILLING_TYPE.PersonnelNumber ? BILLING_TYPE.Invoice : null
}
