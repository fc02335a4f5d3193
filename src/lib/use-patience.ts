import { useEffect, useState } from 'react'

/** Until what shows has to do with what there is. @returns false after so many ms */
export function usePatience(ms: number): boolean {
  const [isPatient, setIsPatient] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsPatient(false), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isPatient
}
