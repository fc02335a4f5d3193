import createClient from 'openapi-fetch'

export const createPortal = ({ token, ...options }) =>
  createClient({ ...options, headers: { Authorization: `Bearer ${token}` } })
