import ky from 'ky'

/** Fetches a JSON file that is part of the portal's files, not of its API. @throws HTTPError, and without a network */
export const loadJson = <T>(path: string): Promise<T> => ky.get(path).json<T>()
