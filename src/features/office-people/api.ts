import * as contract from '#contract/office-people.ts'
import { callOffice } from '#features/office/api.ts'

export const getOfficePersonData = (id: number) => callOffice(contract.getOfficePersonData, { params: { id } })
export const getLetter = (id: number) => callOffice(contract.getLetter, { params: { id } })
export const getOfficeList = (list: contract.OfficeList, seasonId: number | null) =>
  callOffice(contract.getOfficeList, {
    params: { file: `${list}.csv` },
    ...(seasonId !== null && { query: { seasonId } }),
  })
