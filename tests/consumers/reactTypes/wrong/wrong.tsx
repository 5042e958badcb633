import 'rigcast/element/react';
export const wrong = <rigcast-viewer loop="forever" />;
