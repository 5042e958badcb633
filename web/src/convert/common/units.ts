// Formats the amounts in a conversion report in English.

const ONE: Readonly<Record<string, string>> = { vertices: 'vertex', meshes: 'mesh' };

/**
 * Formats an amount, for example `3 textures`, `1 mesh` or `0.12 mm`. Returns '' if the code has no
 * unit or the amount is not positive.
 */
export function amountText(amount: number, unit: string): string {
  if (!unit || !(amount > 0)) return '';
  if (unit === 'metres') return amount < 0.1 ? `${short(1000 * amount)} mm` : `${short(amount)} m`;
  return `${short(amount)} ${amount === 1 ? (ONE[unit] ?? unit.replace(/s$/, '')) : unit}`;
}

const short = (value: number): string => (Number.isInteger(value) ? value : Number(value.toPrecision(2))).toLocaleString('en-US');
