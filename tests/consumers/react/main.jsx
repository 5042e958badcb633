import { createRoot } from 'react-dom/client';
import { Hero } from './hero.jsx';
createRoot(document.querySelector('#app')).render(<Hero />);
