import { useRigcast } from 'rigcast/r3f';
export const useWrong = () => useRigcast('hero.psk', { loader: { skinning: 'forever' } });
