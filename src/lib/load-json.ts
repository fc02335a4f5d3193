import ky from 'ky'

/**
 * Fetches a static JSON file of the portal, which is not part of its API.
 * @throws HTTPError for an error response, TypeError without a network
 */
export const loadJson = <T>(path: string): Promise<T> => ky.get(path).json<T>()
