import * as contract from '#contract/office-people.ts'
import { callOffice, callOfficeWithFile } from '#features/office/api.ts'

export const getOfficePersonData = (id: number) => callOffice(contract.getOfficePersonData, { params: { id } })
export const getLetter = (id: number) => callOffice(contract.getLetter, { params: { id } })
export type ListFile = `${contract.OfficeList}.${'csv' | 'xlsx'}`
export const getOfficeList = (file: ListFile, seasonId: number | null) =>
  callOffice(contract.getOfficeList, {
    params: { file },
    ...(seasonId !== null && { query: { seasonId } }),
  })
export const readOfficeTable = async (file: File): Promise<string[][]> =>
  (await callOfficeWithFile(file)(contract.readOfficeTable, {})).rows
