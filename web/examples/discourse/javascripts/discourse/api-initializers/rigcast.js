import { apiInitializer } from 'discourse/lib/api';
import { embedLink } from '../lib/rigcastFrame';

export default apiInitializer('1.0.0', api =>
  api.decorateCookedElement(post => post.querySelectorAll('p > a[href]').forEach(link => embedLink(link, settings.rigcast_page))),
);
