// A component for pages in MDX. Copy it to src/components. The element is loaded only in browsers.
import { useEffect } from 'react';

/** Attributes of `<rigcast-viewer>` as properties, such as `src`, `files`, `animation`, `autoplay`. */
export default function RigcastViewer({ height = 400, ...attributes }) {
  useEffect(() => void import('rigcast/element'), []);
  // An attribute without a value is set, and false removes it, in every version of React.
  const flags = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, value === true ? '' : value === false ? undefined : value]),
  );
  return <rigcast-viewer controls="" {...flags} style={{ display: 'block', width: '100%', height }} />;
}
