// Checks of the accessibility of the page.
import axe from 'axe-core';

/** Rules of axe whose result depends on colours. All other results are the same in both themes. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns the violations that axe reports, as rule and element: of all rules, or of the rules for colours. */
export async function findings(root: HTMLElement, rules: 'all' | 'colors' = 'all'): Promise<string[]> {
  const { violations } = await axe.run(root, { resultTypes: ['violations'], ...(rules === 'colors' && { runOnly: COLOR_RULES }) });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** Returns true if the centre of an element is outside the visible area of a scrolled ancestor. */
function isClipped(element: HTMLElement, root: HTMLElement): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  for (let each = element.parentElement; each && each !== root; each = each.parentElement) {
    const box = each.getBoundingClientRect();
    if (getComputedStyle(each).overflow !== 'visible' && (x < box.left || x > box.right || y < box.top || y > box.bottom)) return true;
  }
  return false;
}

/**
 * Returns the controls smaller than 24 × 24 pixels that have neighbours within this distance (WCAG
 * 2.2, success criterion 2.5.8, which axe often leaves undecided). Inline links count as large as
 * their line, and controls inside a label as large as the label.
 */
export function smallTargets(root: HTMLElement): string[] {
  const all = [...root.querySelectorAll<HTMLElement>('button, input, select, summary, a, [role=option], [role=treeitem], [tabindex="0"]')];
  const targets = all.filter(
    each => each.checkVisibility({ visibilityProperty: true }) && !isClipped(each, root) && !each.matches('.link, p a, li a, dd a, canvas'),
  );
  const boxes = targets.map(each => (each.closest('label') ?? each).getBoundingClientRect());
  const isLarge = ({ width, height }: DOMRect): boolean => width >= 24 && height >= 24;
  return targets.flatMap((each, i) => {
    const box = boxes[i]!;
    if (isLarge(box)) return [];
    const x = box.left + box.width / 2;
    const y = box.top + box.height / 2;
    const isCrowded = boxes.some((other, j) => {
      if (targets[j] === each || each.contains(targets[j]!) || targets[j]!.contains(each)) return false;
      if (!isLarge(other)) return Math.hypot(x - other.left - other.width / 2, y - other.top - other.height / 2) < 24;
      return Math.hypot(Math.max(other.left - x, 0, x - other.right), Math.max(other.top - y, 0, y - other.bottom)) < 12;
    });
    return isCrowded ? [`${each.outerHTML.slice(0, 120)} is ${box.width} by ${box.height} pixels`] : [];
  });
}
