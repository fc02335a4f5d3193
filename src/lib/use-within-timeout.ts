import { useEffect, useState } from 'react'

/** True until the timeout elapses. @returns false after so many ms */
export function useWithinTimeout(ms: number): boolean {
  const [isPatient, setIsPatient] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsPatient(false), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isPatient
}
