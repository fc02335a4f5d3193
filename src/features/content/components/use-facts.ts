import { company } from '#contract/company.ts'
import { formatMoney } from '#contract/words.ts'
import { useConfig } from '#features/system/resource.ts'
import { useLanguage } from '#lib/use-language.ts'

/** What the texts name: the company, its people and addresses, the surcharge of externals. */
export function useFacts() {
  const language = useLanguage()
  const externalSurcharge = useConfig(state => state.data.externalSurcharge)
  return {
    portal: company.portalName,
    company: company.name,
    group: company.groupName,
    department: company.department[language],
    insurer: company.healthInsurer,
    address: `${company.street}, ${company.zip} ${company.city}`,
    phone: company.phone,
    email: company.email,
    privacyEmail: company.privacyEmail,
    officer: company.dataProtectionOfficer,
    surcharge: formatMoney(externalSurcharge),
  }
}
